// A real PgBouncer (Debian's package) between the service and a test's PostgreSQL, with the settings of
// deploy/pgbouncer.ini.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../debian-package.ts'
import { untilTrue } from '../until.ts'
import { freePort } from './postgres.ts'

/** PgBouncer refuses to run as root. */
const nobody = 65534

export async function startPgBouncer(
  databaseUrl: string,
  mode: 'session' | 'transaction',
): Promise<{ url: string; stop(): Promise<void> }> {
  const program = findProgram('pgbouncer')
  const target = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'dailies-pgbouncer-'))
  const port = await freePort()
  const shipped = await readFile(new URL('../../../deploy/pgbouncer.ini', import.meta.url), 'utf8')
  const settings = shipped
    .replace('host=db.example.com port=5432', `host=${target.hostname} port=${target.port} user=${target.username}`)
    .replace('listen_addr = *', 'listen_addr = 127.0.0.1')
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('auth_type = scram-sha-256', 'auth_type = any')
    .replace(/^auth_file = .*$/m, '')
    .replace('pool_mode = transaction', `pool_mode = ${mode}`)
    .replace('default_pool_size = 12', `default_pool_size = ${mode === 'session' ? 60 : 12}`)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, settings)
  await chmod(folder, 0o755)
  const asRoot = process.getuid?.() === 0
  if (asRoot) await chown(folder, nobody, nobody)
  const child = spawn(program, [file], { stdio: 'ignore', ...(asRoot ? { uid: nobody, gid: nobody } : {}) })
  await untilTrue('PgBouncer listens', () => listens(port))
  const url = new URL(databaseUrl)
  url.port = String(port)
  return { url: url.href, stop: () => end(child, folder) }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const connected = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return connected
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  await rm(folder, { recursive: true, force: true })
}
