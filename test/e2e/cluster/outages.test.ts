// What PostgreSQL does on a bad day: locks, a full disk, a crash. Creations wait where that helps, the log says why,
// readiness follows, and nothing is lost.
import assert from 'node:assert/strict'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { untilAborted } from '../../../src/platform/until-aborted.ts'
import { createSmallDisk } from '../../support/faults/small-disk.ts'
import { startOpenaiVideos } from '../../support/generators/openai-videos.ts'
import { startStallableProxy } from '../../support/network/stallable-proxy.ts'
import { freePort, startPostgres, type TestPostgres } from '../../support/places/postgres.ts'
import { taskBody } from '../../support/service/api.ts'
import { uploadImage } from '../../support/service/chain.ts'
import { configured, engineFile } from '../../support/service/engine-file.ts'
import { cliJson, type ServiceProcess, startProcess, startWorker } from '../../support/service/process.ts'
import { untilStatus, untilTrue } from '../../support/until.ts'

describe('outages of PostgreSQL', () => {
  let postgres: TestPostgres
  let dataDir: string
  let env: Record<string, string>
  let service: ServiceProcess
  before(async () => {
    postgres = await startPostgres()
    dataDir = await mkdtemp(join(tmpdir(), 'dailies-outages-'))
    env = { DAILIES_DATA: dataDir, DAILIES_DATABASE_URL: postgres.url, DAILIES_LOG_LEVEL: 'warn' }
    // Longer than the outages, so that a task whose lease expired in one of them is not what is seen.
    service = await startProcess({ ...env, TEST_LEASE: '60s' })
  })
  after(async () => {
    await service?.kill('SIGKILL')
    await postgres?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: postgres.url })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  /** Returns the URL of a new database on the same server. */
  async function createDatabase(name: string): Promise<string> {
    const admin = await connect()
    await admin.query(`create database ${name}`).finally(() => admin.end())
    const url = new URL(postgres.url)
    url.pathname = `/${name}`
    return url.href
  }

  test('a lock on an account delays its creations, and the log says so', async () => {
    const holder = await connect()
    await holder.query('begin')
    await holder.query('select id from accounts for update')
    const creation = service.api.createTask('a boat')
    const cause = /"cause":"PostgreSQL waits for a lock \(\w+\), held by: \d+ \(idle in transaction\)"/
    await untilTrue('the log has the cause', () => cause.test(service.output()), 9_500)
    await holder.query('rollback')
    await holder.end()
    await service.api.until(await creation, ['success'])
  })

  test('a worker with nothing to do stays while its database is away', async (t) => {
    const admin = await connect()
    t.after(() => admin.end())
    const url = await createDatabase('moving')
    const publicUrl = 'http://127.0.0.1:1'
    const worker = await startWorker({ ...env, DAILIES_DATABASE_URL: url, DAILIES_PUBLIC_URL: publicUrl })
    t.after(() => worker.kill('SIGKILL'))
    // Every connection is refused at once, so no wait for one keeps the process alive.
    await admin.query('alter database moving with allow_connections false')
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'moving'")
    const failures = () => worker.output().match(/the queue could not be read/g)?.length ?? 0
    const queues = 6
    await untilTrue('it tries again', () => failures() > queues || worker.child.exitCode !== null, 30_000)
    assert.equal(worker.child.exitCode, null, worker.output())
    await admin.query('alter database moving with allow_connections true')
    assert.equal(await worker.kill('SIGTERM'), 0)
  })

  test('a creation waits while a proxy has no server behind it', async (t) => {
    const proxy = await startStallableProxy(postgres.port)
    t.after(proxy.stop)
    const url = new URL(postgres.url)
    url.port = String(proxy.port)
    const behind = await startProcess({ ...env, DAILIES_DATABASE_URL: url.href })
    t.after(() => behind.kill('SIGKILL'))
    // It closes the connections that it has, and every new one as soon as it has accepted it.
    proxy.moveTo(await freePort())
    const admin = await connect()
    t.after(() => admin.end())
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()')
    const creation = behind.api.createTask('a boat')
    const unready = await untilStatus(() => behind.api.get('/readyz'), 503, 10_000)
    assert.match(unready.body.msg, /^not ready: the database/)
    proxy.moveTo(postgres.port)
    await behind.api.until(await creation, ['success'])
  })

  test('a video that is finished while the database is down is stored once it is back', async () => {
    // Long enough for PostgreSQL to be down by then: a commit that it interrupts may or may not be stored.
    const taskId = await service.api.createTask('script: progress 10, wait 8000ms')
    await service.api.until(taskId, ['generating'])
    await postgres.end('shut down')
    // Longer than a statement waits for a server that restarts.
    const retried = () => service.output().includes('the end of an attempt cannot be stored')
    await untilTrue('the worker retries', retried, 40_000)
    await postgres.restart()
    await service.api.until(taskId, ['success'])
    const { text } = await service.api.get(`/api/v1/jobs/timeline?taskId=${taskId}`)
    assert.doesNotMatch(text, /crashed|retry/)
  })

  test('work that a generator accepts while the database is down is not submitted again', async (t) => {
    const generator = await startOpenaiVideos()
    t.after(generator.close)
    generator.set('finish')
    generator.quirks.add('slow to accept')
    const config = await configured(engineFile({ type: 'openai-videos', url: generator.url, pollEvery: '20ms' }))
    t.after(config.remove)
    const url = await createDatabase('paid')
    const ownDir = await mkdtemp(join(tmpdir(), 'dailies-outages-'))
    t.after(() => rm(ownDir, { recursive: true, force: true }))
    const settings = { DAILIES_DATA: ownDir, DAILIES_DATABASE_URL: url, TEST_LEASE: '60s', TEST_ENGINE: '' }
    const remote = await startProcess({ ...env, ...config.env, ...settings })
    t.after(() => remote.kill('SIGKILL'))
    const taskId = await remote.api.createTask('a boat', { image_url: await uploadImage(remote) })
    await untilTrue('the generator has the work', () => generator.submissions() === 1)
    await postgres.end('shut down')
    generator.quirks.delete('slow to accept')
    const retried = () => remote.output().includes('handle cannot be stored')
    // Longer than a statement waits for a server that restarts.
    await untilTrue('the worker retries', retried, 40_000)
    await postgres.restart()
    await remote.api.until(taskId, ['success'])
    assert.equal(generator.submissions(), 1)
    const { text } = await remote.api.get(`/api/v1/jobs/timeline?taskId=${taskId}`)
    assert.doesNotMatch(text, /crashed|retry/)
  })

  test('creations during an outage are all refused after the same wait', async (t) => {
    await postgres.end('shut down')
    t.after(() => postgres.restart())
    const signal = AbortSignal.timeout(25_000)
    // The second to fifth arrive while the first one waits, and share a batch.
    const create = () => service.api.post('/api/v1/jobs/createTask', taskBody())
    const answers = await untilAborted(Promise.all(Array.from({ length: 5 }, create)), signal)
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 500),
    )
  })

  test('a full disk makes it unready within two seconds, and it recovers by itself', async (t) => {
    const disk = await createSmallDisk(64)
    t.after(disk.remove)
    if (process.getuid?.() === 0) await chown(disk.dir, 65534, 65534)
    const admin = await connect()
    await admin.query(`create tablespace small location '${disk.dir}'`)
    await admin.query('create database small tablespace small')
    await admin.end()
    const url = new URL(postgres.url)
    url.pathname = '/small'
    const ownEnv = { ...env, DAILIES_DATABASE_URL: url.href }
    const full = await startProcess(ownEnv)
    t.after(() => full.kill('SIGKILL'))
    const accepted = [await full.api.createTask('a boat')]
    await full.api.until(accepted[0]!, ['success'])
    await disk.fill([])
    const prompt = 'b'.repeat(2400)
    const refused = await untilStatus(
      async () => {
        const answer = await full.api.post('/api/v1/jobs/createTask', taskBody(prompt))
        if (answer.status === 200) accepted.push(answer.body.data.taskId)
        return answer
      },
      500,
      60_000,
    )
    assert.doesNotMatch(refused.text, /SQL|disk|extend/i)
    const unready = await untilStatus(() => full.api.get('/readyz'), 503, 2_500)
    assert.match(unready.body.msg, /the database accepts no writes/)
    await disk.free([])
    await untilStatus(() => full.api.get('/readyz'), 200, 10_000)
    accepted.push(await full.api.createTask('a boat'))
    for (const taskId of accepted) await full.api.until(taskId, ['success'], 60_000)
    assert.equal((await cliJson(['ledger', 'check'], ownEnv)).ok, true)
    await full.kill('SIGKILL')
    const closing = await connect()
    await closing.query('drop database small with (force)')
    await closing.query('drop tablespace small')
    await closing.end()
  })
})
