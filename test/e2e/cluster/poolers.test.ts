// The service behind a real PgBouncer, in both of its modes, and on connections that go silent.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { detectPooling } from '../../../src/db/postgres/pooler.ts'
import { startStallableProxy } from '../../support/network/stallable-proxy.ts'
import { startPgBouncer } from '../../support/places/pgbouncer.ts'
import { createTestDatabase, freePort } from '../../support/places/postgres.ts'
import { runCli, startProcess, startWorker } from '../../support/service/process.ts'

describe('poolers', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let dataDir: string
  before(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'dailies-poolers-'))
  })
  after(async () => {
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function settings(databaseUrl: string): Promise<Record<string, string>> {
    const port = String(await freePort())
    return {
      DAILIES_DATA: dataDir,
      DAILIES_DATABASE_URL: databaseUrl,
      DAILIES_PORT: port,
      DAILIES_PUBLIC_URL: `http://127.0.0.1:${port}`,
    }
  }

  test('a direct connection is recognised', async () => {
    assert.equal(await detectPooling(database.url), 'none')
  })

  for (const mode of ['session', 'transaction'] as const) {
    test(`PgBouncer in ${mode} mode is recognised and carries tasks`, async (t) => {
      const pooler = await startPgBouncer(database.url, mode)
      t.after(pooler.stop)
      assert.equal(await detectPooling(pooler.url), mode)
      const env = await settings(pooler.url)
      const server = await startProcess(env, ['serve'])
      t.after(() => server.kill('SIGKILL'))
      const worker = await startWorker({ ...env, DAILIES_PORT: '' })
      t.after(() => worker.kill('SIGKILL'))
      const tasks = await Promise.all(Array.from({ length: 40 }, (_, i) => server.api.createTask(`boat ${i}`)))
      for (const taskId of tasks) await server.api.until(taskId, ['success'])
      const { stdout } = await runCli(['doctor', '--json'], env)
      const checks: { name: string; status: string; message: string }[] = JSON.parse(stdout).checks
      const found = (name: string) => checks.find((check) => check.name === name)!
      assert.match(found('pooler').message, new RegExp(`in ${mode} mode`))
      assert.equal(found('pooler').status, mode === 'transaction' ? 'warning' : 'ok')
      assert.match(found('connections').message, /workers? and a server need up to \d+/)
      assert.equal(found('writes').status, 'ok')
    })
  }

  test('transaction mode with a direct address hears other processes at once', async (t) => {
    const pooler = await startPgBouncer(database.url, 'transaction')
    t.after(pooler.stop)
    const env = { ...(await settings(pooler.url)), DAILIES_DATABASE_DIRECT_URL: database.url }
    const server = await startProcess(env, ['serve', '--work'])
    t.after(() => server.kill('SIGKILL'))
    await server.api.until(await server.api.createTask('a boat'), ['success'])
  })

  test('connections that go silent delay creations by one statement limit, and the log says why', async (t) => {
    const line = await startStallableProxy(Number(new URL(database.url).port))
    t.after(line.stop)
    const url = new URL(database.url)
    url.port = String(line.port)
    const env = { ...(await settings(url.href)), DAILIES_LOG_LEVEL: 'warn' }
    const server = await startProcess(env, ['serve', '--work'])
    t.after(() => server.kill('SIGKILL'))
    // Enough at once to open every connection of the pool.
    await Promise.all(Array.from({ length: 20 }, () => server.api.get('/api/v1/jobs/list')))
    await server.api.createTask('before')
    line.freeze()
    const startedMs = performance.now()
    const tasks = await Promise.all(Array.from({ length: 20 }, (_, i) => server.api.createTask(`boat ${i}`)))
    const gapMs = performance.now() - startedMs
    t.diagnostic(`creations waited ${Math.round(gapMs)} ms`)
    assert.ok(gapMs < 15_000, `creations waited ${Math.round(gapMs)} ms`)
    assert.match(server.output(), /"cause":"[^"]+","msg":"creations wait for the database"/)
    for (const taskId of tasks) await server.api.until(taskId, ['success'])
  })
})
