// Many processes on one PostgreSQL, in one run:
//   - our queue and bare pg-boss, jobs that do nothing: sent and done a second with 1, 2 and 4 worker processes, with
//     pg-boss's workers in batches of 64 that are completed together, ours job by job;
//   - whole tasks through the API with the scripted engine: accepted and finished a second;
//   - admission of 64 callers, coalesced and one transaction a call.
// Rounds take turns, so that a busy machine slows all alike; ratios of medians are what counts.
//   node bench/cluster.ts [--rounds 3] [--jobs 3000] [--tasks 600] [--workers 1,2,4]
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PgBoss } from 'pg-boss'
import { loadConfig } from '../src/config.ts'
import { migrate } from '../src/db/migrate.ts'
import { openPostgres } from '../src/db/postgres.ts'
import { buildParts } from '../src/parts.ts'
import { systemClock } from '../src/platform/clock.ts'
import { silentLogger } from '../src/platform/logger.ts'
import { createSqlQueue } from '../src/queue/sql-queue.ts'
import { taskBody } from '../test/support/api.ts'
import { createTestDatabase, freePort, startPostgres } from '../test/support/postgres.ts'
import { startProcess, startWorker } from '../test/support/process.ts'
import { newSubmission } from './submission.ts'
import { median } from './support.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    jobs: { type: 'string', default: '3000' },
    tasks: { type: 'string', default: '600' },
    workers: { type: 'string', default: '1,2,4' },
  },
})
const rounds = Number(values.rounds)
const jobCount = Number(values.jobs)
const taskCount = Number(values.tasks)
const workerCounts = values.workers.split(',').map(Number)
const callers = 64

interface Rates {
  /** Sent or accepted a second. */
  in: number
  /** Done or finished a second, from the first that was sent to the last that was done. */
  out: number
}

/** `count` calls by 64 callers. */
async function callMany(count: number, call: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const caller = async () => {
    while (next < count) await call(next++)
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

async function measure(count: number, call: (i: number) => Promise<unknown>, allDone: () => Promise<void>) {
  const startMs = performance.now()
  await callMany(count, call)
  const inMs = performance.now() - startMs
  await allDone()
  return { in: (count * 1000) / inMs, out: (count * 1000) / (performance.now() - startMs) }
}

async function startBenchWorkers(kind: 'ours' | 'pg-boss', url: string, count: number) {
  const file = fileURLToPath(new URL('./cluster-worker.ts', import.meta.url))
  const children = Array.from({ length: count }, () => fork(file, [kind, url]))
  const done = new Map<ChildProcess, number>()
  let wake = () => {}
  for (const child of children) {
    child.on('message', (message: { done?: number }) => {
      if (message.done === undefined) return
      done.set(child, message.done)
      wake()
    })
  }
  await Promise.all(children.map((child) => once(child, 'message')))
  return {
    async until(total: number) {
      while ([...done.values()].reduce((sum, each) => sum + each, 0) < total) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    async stop() {
      for (const child of children) {
        child.disconnect()
        await once(child, 'exit')
      }
    },
  }
}

async function ourQueue(workerCount: number): Promise<Rates> {
  const database = await createTestDatabase()
  const db = await openPostgres(database.url, { connectionsMax: 10 })
  await migrate(db, Date.now())
  const queue = createSqlQueue({ db, clock: systemClock, log: silentLogger })
  const workers = await startBenchWorkers('ours', database.url, workerCount)
  const send = (i: number) =>
    db.transaction((tx) => queue.enqueue(tx, [{ queue: 'bench', subject: `${i}`, group: `${i % 10}`, order: i }]))
  const rates = await measure(jobCount, send, () => workers.until(jobCount))
  await workers.stop()
  await queue.stop(0)
  await db.close()
  await database.stop()
  return rates
}

/** With `notify` workers are woken by each send; without it they find jobs by polling, within half a second. */
async function pgBoss(workerCount: number, notify: boolean): Promise<Rates> {
  const database = await createTestDatabase()
  const boss = new PgBoss({ connectionString: database.url, max: 10 })
  boss.on('error', () => {})
  await boss.start()
  await boss.createQueue('bench', { notify })
  const workers = await startBenchWorkers('pg-boss', database.url, workerCount)
  const rates = await measure(
    jobCount,
    (i) => boss.send('bench', { subject: `${i}` }),
    () => workers.until(jobCount),
  )
  await workers.stop()
  await boss.stop({ graceful: false })
  await database.stop()
  return rates
}

async function wholeTasks(workerCount: number): Promise<Rates> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'dailies-bench-'))
  const port = String(await freePort())
  const env = {
    DAILIES_DATA: dataDir,
    DAILIES_DATABASE_URL: database.url,
    DAILIES_PUBLIC_URL: `http://127.0.0.1:${port}`,
    DAILIES_RENDER_SLOTS: '16',
    DAILIES_LOG_LEVEL: 'error',
  }
  const server = await startProcess({ ...env, DAILIES_PORT: port }, ['serve'])
  const workers = await Promise.all(Array.from({ length: workerCount }, () => startWorker(env)))
  const db = await openPostgres(database.url, { connectionsMax: 1 })
  const rates = await measure(
    taskCount,
    async () => {
      const answer = await server.api.post('/api/v1/jobs/createTask', taskBody())
      if (answer.status !== 200) throw new Error(answer.text)
    },
    async () => {
      const ended = 'select count(*) as count from tasks where completed_at is not null'
      while ((await db.one<{ count: number }>(ended))!.count < taskCount) {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  )
  await db.close()
  for (const each of [server, ...workers]) await each.kill('SIGTERM')
  await database.stop()
  await rm(dataDir, { recursive: true, force: true })
  return rates
}

async function admission(batchMax: number): Promise<Rates> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'dailies-bench-'))
  const env = { DAILIES_DATA: dataDir, DAILIES_DATABASE_URL: database.url, DAILIES_ENGINE: 'scripted' }
  const overrides = { log: silentLogger, admissionBatchMax: batchMax }
  const parts = await buildParts(loadConfig({ ...env, DAILIES_OPEN_TASKS: '1000000' }), overrides, {
    publicUrl: () => '',
  })
  const submission = await newSubmission(parts.db)
  const submit = () => parts.admission.submit(submission())
  await callMany(callers, submit)
  const rates = await measure(jobCount, submit, async () => {})
  await parts.queue.stop(0)
  await parts.close()
  await database.stop()
  await rm(dataDir, { recursive: true, force: true })
  return rates
}

const results = new Map<string, Rates[]>()

async function run(name: string, work: () => Promise<Rates>): Promise<void> {
  const rates = await work()
  results.set(name, [...(results.get(name) ?? []), rates])
  console.error(`${name}: ${Math.round(rates.in)} in/s, ${Math.round(rates.out)} out/s`)
}

function medianOf(name: string): Rates {
  const all = results.get(name)!
  return { in: median(all.map((each) => each.in)), out: median(all.map((each) => each.out)) }
}

function line(name: string, base: string) {
  const [rates, beside] = [medianOf(name), medianOf(base)]
  const cell = (value: number, other: number) =>
    `${Math.round(value).toString().padStart(7)}/s ${(value / other).toFixed(2).padStart(6)}x`
  console.log(`${name.padEnd(34)} ${cell(rates.in, beside.in)}   ${cell(rates.out, beside.out)}`)
}

const postgres = await startPostgres()
process.env.TEST_POSTGRES_URL = postgres.url
try {
  for (let round = 0; round < rounds; round++) {
    for (const count of workerCounts) {
      await run(`pg-boss polling, ${count} workers`, () => pgBoss(count, false))
      await run(`pg-boss notified, ${count} workers`, () => pgBoss(count, true))
      await run(`our queue, ${count} workers`, () => ourQueue(count))
      await run(`whole tasks, ${count} workers`, () => wholeTasks(count))
    }
    await run('admission, one a transaction', () => admission(1))
    await run('admission, coalesced', () => admission(512))
  }
} finally {
  await postgres.stop()
}
console.log(`${''.padEnd(34)} sent or accepted       done or finished    (beside the first of each group)`)
for (const count of workerCounts) {
  for (const what of ['pg-boss polling', 'pg-boss notified', 'our queue', 'whole tasks']) {
    line(`${what}, ${count} workers`, `pg-boss polling, ${count} workers`)
  }
}
for (const what of ['one a transaction', 'coalesced']) line(`admission, ${what}`, 'admission, one a transaction')
