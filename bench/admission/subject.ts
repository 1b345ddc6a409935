// One subject of bench/admission.ts in a process of its own:
//   service      the service; what it accepts waits for its input files forever, so that creation alone is measured
//   uncoalesced  the same, with one transaction per creation
//   idle         the service as it is, with nothing to prepare
//   bare         bare Fastify routes: one durable insert, one row read, and a constant
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { type AppOverrides, createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/open.ts'
import { newId } from '../../src/platform/ids.ts'
import { silentLogger } from '../../src/platform/logger.ts'
import { chosenEngine } from '../../test/support/engines/chosen-engine.ts'

const [role = '', key = ''] = process.argv.slice(2)
const dataDir = mkdtempSync(join(tmpdir(), 'bench-admission-'))
const config = loadConfig({
  ...process.env,
  DAILIES_DATA: dataDir,
  DAILIES_PORT: '0',
  DAILIES_API_KEY: key,
  DAILIES_RATE_LIMIT: 'off',
  DAILIES_CREDITS: '1000000000000',
  DAILIES_OPEN_TASKS: '1000000000',
})
const never = (_task: unknown, { signal }: { signal: AbortSignal }) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

async function startService(overrides: AppOverrides) {
  const app = await createApp(config, { log: silentLogger, stopGraceMs: 100, ...chosenEngine(), ...overrides })
  return { url: await app.start(), stop: () => app.stop() }
}

/** The least that keeps what was sent: the same database, the same pragmas, one row. */
async function startBare() {
  const db = await openDatabase(config)
  await db.run('create table kept (id text primary key, body text not null, created_at bigint not null)')
  const server = Fastify()
  server.post('/insert', async (request) => {
    const nowMs = Date.now()
    const id = newId(nowMs)
    const row = { id, body: JSON.stringify(request.body), created_at: nowMs }
    await db.insert('kept', [row])
    return { code: 200, msg: 'success', data: { taskId: id } }
  })
  server.get('/read', async (request) => {
    const { id } = request.query as { id: string }
    const row = await db.one<{ id: string; body: string; created_at: number }>('select * from kept where id = ?', [id])
    return { code: 200, msg: 'success', data: row }
  })
  const constant = { code: 200, msg: 'success', data: { taskId: newId(Date.now()), state: 'wait', progress: 0 } }
  server.get('/constant', async () => constant)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    async stop() {
      await server.close()
      await db.close()
    },
  }
}

const starts: Record<string, () => Promise<{ url: string; stop(): Promise<void> }>> = {
  service: () => startService({ fetchInputs: never }),
  uncoalesced: () => startService({ fetchInputs: never, admissionBatchMax: 1 }),
  idle: () => startService({}),
  bare: startBare,
}

const subject = await starts[role]!()
process.once('disconnect', async () => {
  await subject.stop()
  rmSync(dataDir, { recursive: true, force: true })
})
process.send!({ url: subject.url })
