// Debian's Redis for a benchmark: on a free port, with its append-only file in a folder that goes away with it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findProgram } from '../../test/support/debian-package.ts'
import { freePort } from '../../test/support/places/postgres.ts'

/** `everysec` may lose a second's writes in a power cut; `always` syncs before it answers. */
export type Fsync = 'everysec' | 'always'

export async function startRedis(fsync: Fsync): Promise<{ port: number; stop(): Promise<void> }> {
  const program = findProgram('redis-server')
  const folder = await mkdtemp(join(tmpdir(), 'dailies-redis-'))
  const port = await freePort()
  const settings = {
    bind: '127.0.0.1',
    port: String(port),
    dir: folder,
    appendonly: 'yes',
    appendfsync: fsync,
    save: '',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(server, 'exit')
  await new Promise<void>((resolve, reject) => {
    createInterface(server.stdout).on('line', (line) => line.includes('Ready to accept connections') && resolve())
    exited.then(([code]) => reject(new Error(`Redis ended with ${code}`)), reject)
  })
  return {
    port,
    async stop() {
      server.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
