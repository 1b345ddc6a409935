// A server without a free connection: requests wait for one, and are then refused with the time to retry.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { startPostgres, type TestPostgres } from '../support/places/postgres.ts'
import { taskBody } from '../support/service/api.ts'
import { startOneService, type TestService } from '../support/service/one-service.ts'

let postgres: TestPostgres
let folder: string
let service: TestService
/** Whatever else uses the server. */
let others: pg.Client[] = []

before(async () => {
  postgres = await startPostgres({ settings: ['max_connections=25', 'superuser_reserved_connections=0'] })
  folder = await mkdtemp(join(tmpdir(), 'dailies-connections-'))
  service = await startOneService({ DAILIES_DATA: folder, DAILIES_DATABASE_URL: postgres.url })
})
after(async () => {
  await release()
  await service?.stop()
  await postgres?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Takes every connection, those of the service included: these are cut, and cannot come back. */
async function exhaust(): Promise<void> {
  const holder = new pg.Client({ connectionString: postgres.url })
  holder.on('error', () => {})
  await holder.connect()
  others.push(holder)
  for (;;) {
    const client = new pg.Client({ connectionString: postgres.url })
    client.on('error', () => {})
    try {
      await client.connect()
      others.push(client)
    } catch (error) {
      assert.equal((error as pg.DatabaseError).code, '53300')
      const mine = others.map((each) => (each as unknown as { processID: number }).processID)
      const { rowCount } = await holder.query(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity
         where backend_type = 'client backend' and not pid = any($1)`,
        [mine],
      )
      if (rowCount === 0) return
    }
  }
}

async function release(): Promise<void> {
  await Promise.all(others.map((each) => each.end()))
  others = []
}

test('a task waits for a connection that becomes free', async () => {
  await exhaust()
  const creating = service.api.post('/api/v1/jobs/createTask', taskBody())
  const stillWaits = await Promise.race([creating.then(() => false), new Promise((r) => setTimeout(r, 300, true))])
  assert.equal(stillWaits, true)
  await release()
  const { status, text } = await creating
  assert.equal(status, 200, text)
})

test('without any, creating and reading are refused with a clear message, and work again afterwards', async () => {
  await exhaust()
  const answers = await Promise.all([
    service.api.post('/api/v1/jobs/createTask', taskBody()),
    service.api.get('/api/v1/jobs/list'),
    service.api.post('/api/v1/keys', { name: 'worker' }),
  ])
  for (const { status, headers, text } of answers) {
    assert.equal(status, 455, text)
    assert.equal(headers.get('retry-after'), '1')
    assert.match(JSON.parse(text).msg, /overloaded/)
  }
  await release()
  const { status, text } = await service.api.post('/api/v1/jobs/createTask', taskBody())
  assert.equal(status, 200, text)
})
