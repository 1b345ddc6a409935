// A model of many processes on one PostgreSQL, checked against measured points and extended to 10⁸ tasks per day. What a
// task costs (processor time of each kind of process, statements, write-ahead log) is measured with one worker; the
// model then predicts the rate of a saturated machine with more workers, which is measured too. Beyond the machine it
// only adds up: the costs per task times the tasks per second, against the limits of one PostgreSQL.
//   node bench/scaling.ts [--tasks 1500] [--workers 1,2,4] [--accounts 16]
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { sharedMax } from '../src/commit/group-commit.ts'
import { openPostgres } from '../src/db/postgres/postgres.ts'
import { createTestDatabase, startPostgres } from '../test/support/places/postgres.ts'
import { costOfTasks } from './cluster/cost.ts'
import { startTasks } from './cluster/our-tasks.ts'
import { processorMs } from './cluster/processor-time.ts'
import { measure, untilFinished } from './cluster/rates.ts'

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '1500' },
    workers: { type: 'string', default: '1,2,4' },
    accounts: { type: 'string', default: '16' },
  },
})
const taskCount = Number(values.tasks)
const accountCount = Number(values.accounts)
const workerCounts = values.workers.split(',').map(Number)

/** Processor time per task, in milliseconds. */
interface Point {
  workers: number
  rate: number
  client: number
  server: number
  worker: number
  postgres: number
}

/** The limits of one PostgreSQL on a large machine. Settings of the model: change them to what yours has. */
const limits = {
  cores: 32,
  /** The share of its cores that a database may use and still respond quickly. */
  usedShare: 0.6,
  walMegabytesPerSecond: 200,
  connections: 500,
  connectionsPerProcess: 11,
  /** One account's row is written by one transaction after another, of so many milliseconds each (docs/scaling.md). */
  rowTransactionMs: 1,
  /** Creations, or ends, of one account that share a transaction. */
  rowBatch: sharedMax,
  diskTerabytes: 20,
  /** Records that are deleted per second beside the load, with their attempts, callbacks and index entries. */
  purgedPerSecond: 1070,
  /** Updates of rows of `workers` per second, beside the load. */
  heartbeatsPerSecond: 10_000,
  /** Notifications that PostgreSQL hands to each listening process per second. */
  notificationsPerSecond: 2500,
}
/** What tasks need besides processors and log. */
const needs = {
  /** A task with its ledger entries, attempt, files and callback, and their index entries (`bench/growth.ts`). */
  bytesPerTask: 8000,
  /** DAILIES_RECORD_TTL. */
  recordDays: 90,
  /** How long a job runs, how many a worker runs at once (they wait for generators), and how often it reports. */
  jobSeconds: 60,
  jobsPerWorker: 16,
  heartbeatEverySeconds: 5,
  /** A process sends its notifications together, at most so often (db/postgres/changes.ts). */
  notificationsPerProcess: 50,
}
/** The busiest hour has so many times the average. */
const peak = 3
const tasksPerDay = [1e6, 1e7, 1e8]

async function measurePoint(workerCount: number): Promise<Point> {
  const database = await createTestDatabase()
  const service = await startTasks(database.url, { workerCount, accountCount })
  const db = await openPostgres(database.url, { connectionsMax: 1 })
  const first = (await db.one<{ file: string }>(`select pg_read_file('postmaster.pid') as file`))!.file
  const postmaster = Number(first.split('\n', 1)[0])
  const used = async () => ({
    client: processorMs([process.pid]),
    server: processorMs([service.serverPid]),
    worker: processorMs(service.workerPids),
    postgres: processorMs([postmaster], 'with children'),
  })
  const finished = { db, column: 'completed_at' }
  // Code that has not run yet is slow, and the start of a process is not the cost of a task.
  const warmUp = Math.ceil(taskCount / 5)
  await measure(warmUp, service.create, () => untilFinished(finished, warmUp))
  const before = await used()
  const { out } = await measure(taskCount, service.create, () => untilFinished(finished, warmUp + taskCount))
  const after = await used()
  await db.close()
  await service.stop()
  await database.stop()
  const perTask = (kind: keyof typeof before) => (after[kind] - before[kind]) / taskCount
  return {
    workers: workerCount,
    rate: out,
    client: perTask('client'),
    server: perTask('server'),
    worker: perTask('worker'),
    postgres: perTask('postgres'),
  }
}

const totalMs = ({ client, server, worker, postgres }: Point) => client + server + worker + postgres
/** A machine that does nothing else is full when the processor time of all tasks fills its cores. */
const predictedRate = (point: Point) => (availableParallelism() * 1000) / totalMs(point)

function describePoint(point: Point, base: Point): string {
  const predicted = predictedRate(base)
  const cost = (['client', 'server', 'worker', 'postgres'] as const).map((kind) => `${kind} ${point[kind].toFixed(2)}`)
  return (
    `${point.workers} workers: ${point.rate.toFixed(0)} tasks/s measured, ${predicted.toFixed(0)} predicted ` +
    `(${(point.rate / predicted).toFixed(2)}x); ms per task: ${cost.join(', ')}`
  )
}

function describeNeed(perDay: number, point: Point, walBytes: number): string {
  const rate = (perDay / 86_400) * peak
  const databaseCores = (rate * point.postgres) / 1000
  const walMegabytes = (rate * walBytes) / 1e6
  const processes = Math.ceil((rate * (point.server + point.worker)) / 1000 / limits.usedShare)
  const terabytes = (perDay * needs.recordDays * needs.bytesPerTask) / 1e12
  const heartbeats = (rate * needs.jobSeconds) / needs.jobsPerWorker / needs.heartbeatEverySeconds
  // Every process hears every other one of its database.
  const notifications = processes * needs.notificationsPerProcess
  const shards = {
    'its processors': databaseCores / (limits.cores * limits.usedShare),
    'its write-ahead log': walMegabytes / limits.walMegabytesPerSecond,
    connections: (processes * limits.connectionsPerProcess) / limits.connections,
    'its disk': terabytes / limits.diskTerabytes,
    // Purging never rests: it has the whole day for the tasks of a day.
    purging: perDay / 86_400 / limits.purgedPerSecond,
    heartbeats: heartbeats / limits.heartbeatsPerSecond,
    notifications: notifications / limits.notificationsPerSecond,
  }
  const ranked = Object.entries(shards).sort(([, a], [, b]) => b - a)
  const [limit, need] = ranked[0]!
  return (
    `${perDay.toExponential(0)} tasks/day, ${rate.toFixed(0)}/s at the peak: ${databaseCores.toFixed(1)} cores of ` +
    `PostgreSQL, ${walMegabytes.toFixed(1)} MB/s of WAL, ${processes} processes, ${terabytes.toFixed(1)} TB of records, ` +
    `${heartbeats.toFixed(0)} heartbeats/s; ${Math.ceil(need)} database(s), the first limit is ${limit}; of one database: ` +
    ranked.map(([name, share]) => `${name} ${(share * 100).toFixed(0)} %`).join(', ')
  )
}

const postgres = await startPostgres()
process.env.TEST_POSTGRES_URL = postgres.url
try {
  const points: Point[] = []
  for (const workers of workerCounts) points.push(await measurePoint(workers))
  const [base] = points
  const { statements, walBytes } = await costOfTasks(taskCount, { workerCount: workerCounts[0]!, accountCount })
  console.log(`a whole task: ${statements.toFixed(1)} statements, ${(walBytes / 1000).toFixed(1)} kB of WAL`)
  for (const point of points) console.log(describePoint(point, base!))
  for (const perDay of tasksPerDay) console.log(describeNeed(perDay, base!, walBytes))
  const ofOneAccount = (1000 / limits.rowTransactionMs) * limits.rowBatch
  console.log(`one account: at most ${ofOneAccount} creations and ends per second, by the transactions on its row`)
} finally {
  await postgres.stop()
}
