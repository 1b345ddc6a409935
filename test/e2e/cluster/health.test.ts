// What /readyz and /metrics say while the database is frozen or away, and while the storage is.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { startStallableProxy } from '../../support/network/stallable-proxy.ts'
import { createTestDatabase } from '../../support/places/postgres.ts'
import { startS3 } from '../../support/places/s3.ts'
import { startProcess } from '../../support/service/process.ts'
import { untilStatus, untilTrue } from '../../support/until.ts'

/** A service whose database and storage are each reached through a line that can stall. */
async function startBehindLines(t: TestContext) {
  const database = await createTestDatabase()
  t.after(database.stop)
  const s3 = await startS3()
  t.after(s3.stop)
  const dataDir = await mkdtemp(join(tmpdir(), 'dailies-outages-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const databaseLine = await startStallableProxy(Number(new URL(database.url).port))
  t.after(databaseLine.stop)
  const storageLine = await startStallableProxy(Number(new URL(s3.endpoint).port))
  t.after(storageLine.stop)
  const databaseUrl = new URL(database.url)
  databaseUrl.port = String(databaseLine.port)
  const service = await startProcess({
    DAILIES_DATA: dataDir,
    DAILIES_DATABASE_URL: databaseUrl.href,
    DAILIES_STORAGE_URL: s3.storageUrl(`http://127.0.0.1:${storageLine.port}`),
    TEST_LEASE: '60s',
  })
  t.after(() => service.kill('SIGKILL'))
  return { api: service.api, scrape: () => scrape(service.url), databaseLine, storageLine }
}

/** Less than a statement waits for a database that is silent. */
const scrapeWithinMs = 4000

async function scrape(url: string) {
  const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(scrapeWithinMs) })
  const text = await response.text()
  assert.equal(response.status, 200)
  const gaugeOf = (name: string) => new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
  return {
    text,
    database: gaugeOf('dailies_database_up'),
    storage: gaugeOf('dailies_storage_up'),
    ageS: Number(gaugeOf('dailies_database_values_age_seconds')),
  }
}

describe('health in outages', () => {
  test('a frozen database leaves the metrics that need none, and the last values of the others', async (t) => {
    const { api, scrape, databaseLine } = await startBehindLines(t)
    await api.until(await api.createTask('script: wait 10ms'), ['success'])
    await api.until(await api.createTask('script: wait 120s'), ['generating'])
    const running = /^dailies_queue_jobs\{queue="generate:scripted",state="running"\} 1$/m
    await untilTrue('the job is counted', async () => running.test((await scrape()).text))
    const before = await scrape()
    assert.deepEqual([before.database, before.storage], ['1', '1'])
    databaseLine.stall()
    const startedMs = performance.now()
    const first = await scrape()
    const tookMs = performance.now() - startedMs
    t.diagnostic(`the first scrape took ${Math.round(tookMs)} ms`)
    assert.match(first.text, running)
    assert.match(first.text, /^dailies_http_requests_total\{/m)
    assert.match(first.text, /^dailies_engine_attempts_total\{/m)
    // Slow is not away: neither says so at once.
    assert.equal(first.database, '1')
    assert.equal((await api.get('/readyz')).status, 200)
    await untilTrue('the metrics say so', async () => (await scrape()).database === '0', 15_000)
    const { body } = await untilStatus(() => api.get('/readyz'), 503)
    assert.match(body.msg, /^not ready: the database/)
    const late = await scrape()
    assert.ok(late.ageS > first.ageS, `${late.ageS} s after ${first.ageS} s`)
    assert.match(late.text, running)
    databaseLine.resume()
    await untilStatus(() => api.get('/readyz'), 200, 20_000)
    await untilTrue('the metrics say so', async () => (await scrape()).database === '1', 20_000)
  })

  test('a database that is away makes the service unready, and its metrics say so', async (t) => {
    const { api, scrape, databaseLine } = await startBehindLines(t)
    databaseLine.refuse()
    databaseLine.drop()
    await untilStatus(() => api.get('/readyz'), 503, 15_000)
    const { database, storage, text } = await scrape()
    assert.deepEqual([database, storage], ['0', '1'])
    assert.match(text, /^dailies_build_info\{/m)
    await databaseLine.accept()
    await untilStatus(() => api.get('/readyz'), 200, 15_000)
  })

  test('without its storage the service stays ready, creates tasks and returns records', async (t) => {
    const { api, scrape, storageLine } = await startBehindLines(t)
    const done = await api.createTask('script: wait 10ms')
    await api.until(done, ['success'])
    storageLine.refuse()
    storageLine.drop()
    const storage = async () => (await api.get('/readyz')).body.data.storage
    await untilTrue('readiness reports it', async () => (await storage()) === 'down', 15_000)
    assert.equal((await scrape()).storage, '0')
    assert.equal((await api.get('/readyz')).status, 200)
    const waiting = await api.createTask('script: wait 10ms')
    assert.equal((await api.record(done)).state, 'success')
    assert.notEqual((await api.record(waiting)).state, 'fail')
    await storageLine.accept()
    await api.until(waiting, ['success'], 60_000)
    await untilTrue('readiness reports it', async () => (await storage()) === 'up', 15_000)
  })
})
