// What an upgrade of a large PostgreSQL costs: a database with a million finished tasks, a server with a worker on it, and
// meanwhile the migrations of a made-up next release, which adds a column and an index. Prints how long each migration takes,
// and what the server's clients notice: before, during and after it.
//   node bench/upgrade.ts [--size 1000000]
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { loadConfig } from '../src/config.ts'
import type { Db } from '../src/db/db.ts'
import { openDatabase } from '../src/db/open.ts'
import { startReceiver } from '../test/support/network/receiver.ts'
import { makeNextRelease, nextMigrations } from '../test/support/next-release.ts'
import { createTestDatabase, startPostgres } from '../test/support/places/postgres.ts'
import { type Api, taskBody } from '../test/support/service/api.ts'
import { untilDelivery } from '../test/support/service/deliveries.ts'
import { startProcess } from '../test/support/service/process.ts'
import { fill } from './growth/fill.ts'
import { readSample } from './growth/sample-task.ts'
import { percentile } from './support.ts'

const { values } = parseArgs({ options: { size: { type: 'string', default: '1000000' } } })
const size = Number(values.size)
const quietMs = 15_000
const pauseMs = 10
const lookEveryMs = 20
const withinMs = 120_000
const migrate = promisify(execFile)

const postgres = await startPostgres()
process.env.TEST_POSTGRES_URL = postgres.url
const next = await makeNextRelease(nextMigrations)
const dataDir = await mkdtemp(join(tmpdir(), 'dailies-upgrade-'))
const env = {
  DAILIES_DATA: dataDir,
  DAILIES_DATABASE_URL: (await createTestDatabase()).url,
  DAILIES_LOG_LEVEL: 'info',
  DAILIES_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8',
  DAILIES_OPEN_TASKS: '1000000',
}
const server = await startProcess(env)
const db = await openDatabase(loadConfig(env))
try {
  const sample = await readSample(db, await makeSample(server.api))
  const startMs = performance.now()
  await fill(db, sample, { count: size, ownEvery: 10 })
  console.log(`${size} tasks filled in ${seconds(performance.now() - startMs)}`)
  const calls = startCalls(server.api)
  await sleep(quietMs)
  calls.begin('before')
  await sleep(quietMs)
  calls.begin('during')
  const migrations = await watchMigrations(db, () =>
    migrate(process.execPath, [next.main, 'migrate'], { env: { ...process.env, ...env } }),
  )
  calls.begin('after')
  await sleep(quietMs)
  const failures = await calls.stop()
  for (const line of migrations) console.log(line)
  for (const line of calls.report()) console.log(line)
  console.log(`${failures.length} requests failed${failures.length > 0 ? `, the first with ${failures[0]}` : ''}`)
} finally {
  await db.close()
  await server.kill('SIGKILL')
  await postgres.stop()
  await next.remove()
  await rm(dataDir, { recursive: true, force: true })
}

function seconds(ms: number) {
  return `${(ms / 1000).toFixed(1)} s`
}

async function makeSample(api: Api): Promise<string> {
  const receiver = await startReceiver()
  const body = { ...taskBody(), callBackUrl: `${receiver.origin}/callbacks` }
  const answer = await api.post('/api/v1/jobs/createTask', body, { headers: { 'idempotency-key': 'sample' } })
  if (answer.status !== 200) throw new Error(answer.text)
  const { taskId } = answer.body.data
  await api.until(taskId, ['success'], withinMs)
  await untilDelivery(api, taskId, ['delivered'], withinMs)
  await receiver.close()
  return taskId
}

/** Runs the migrations and returns a line for each that took long, and one for all. */
async function watchMigrations(sql: Db, run: () => Promise<unknown>): Promise<string[]> {
  const newest = async () =>
    (await sql.one<{ name: string; version: number }>(
      'select name, version from schema_migrations order by version desc limit 1',
    ))!
  const lines: string[] = []
  const startedMs = performance.now()
  let { version } = await newest()
  let lastMs = startedMs
  let isDone = false
  const running = run().finally(() => {
    isDone = true
  })
  while (!isDone) {
    await sleep(lookEveryMs)
    const now = await newest()
    if (now.version === version) continue
    version = now.version
    const tookMs = performance.now() - lastMs
    lastMs = performance.now()
    if (tookMs > 1000) lines.push(`up to ${now.version} ${now.name}: ${seconds(tookMs)}`)
  }
  await running
  return [...lines, `all migrations: ${seconds(performance.now() - startedMs)}`]
}

/** A client that creates a task, reads it and reads the list, again and again. */
function startCalls(api: Api) {
  const times = new Map<string, number[]>()
  const failures: string[] = []
  let phase = 'warm-up'
  let isStopped = false
  let lastId = ''
  const steps = {
    admission: async () => {
      const answer = await api.post('/api/v1/jobs/createTask', taskBody())
      if (answer.status === 200) lastId = answer.body.data.taskId
      return answer
    },
    'a new record': () => api.get(`/api/v1/jobs/recordInfo?taskId=${lastId}`),
    'the first page of the list': () => api.get('/api/v1/jobs/list'),
  }
  const running = (async () => {
    while (!isStopped) {
      for (const [what, step] of Object.entries(steps)) {
        const key = `${what.padEnd(28)} ${phase.padEnd(7)}`
        const startMs = performance.now()
        const answer = await step()
        times.set(key, [...(times.get(key) ?? []), performance.now() - startMs])
        if (answer.status !== 200) failures.push(answer.text)
        await sleep(pauseMs)
      }
    }
  })()
  return {
    begin: (next: string) => {
      phase = next
    },
    async stop() {
      isStopped = true
      await running
      return failures
    },
    report: () =>
      [...times].sort().flatMap(([key, own]) => {
        const shown = [0.5, 0.99, 1].map((share) => percentile(own, share).toFixed(1))
        return key.includes('warm-up')
          ? []
          : [`${key} median ${shown[0]} ms, p99 ${shown[1]} ms, longest ${shown[2]} ms`]
      }),
  }
}
