// Many processes on one PostgreSQL, in one run, with 1, 2 and 4 worker processes:
//   - tasks that do no work, accepted and finished per second: ours, through the API to the end (cluster/our-tasks.ts),
//     of many accounts and of one; beside apps on BullMQ with an outbox, bare (cluster/bullmq-app.ts), with files, and with our
//     guarantees (cluster/bullmq-guaranteed.ts); and, with --before, beside another commit of ours;
//   - our queue alone beside pg-boss (cluster/queues.ts), and admission of 64 callers, coalesced and one per transaction;
//   - what one whole task costs PostgreSQL at 64 in flight: statements and write-ahead log (cluster/cost.ts).
// Rounds take turns, so that a busy machine slows all alike; ratios of medians are what counts.
//   node bench/cluster.ts [--rounds 3] [--jobs 3000] [--tasks 1500] [--workers 1,2,4] [--only tasks|queues|cost]
//     [--before CHECKOUT] [--detail]
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/places/postgres.ts'
import { bullmqTasks } from './cluster/bullmq-tasks.ts'
import { costOfTasks } from './cluster/cost.ts'
import { admission, wholeTasks } from './cluster/our-tasks.ts'
import { ourQueue, pgBoss } from './cluster/queues.ts'
import type { Rates } from './cluster/rates.ts'
import { median } from './support.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    jobs: { type: 'string', default: '3000' },
    tasks: { type: 'string', default: '1500' },
    workers: { type: 'string', default: '1,2,4' },
    only: { type: 'string' },
    before: { type: 'string' },
    detail: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const jobCount = Number(values.jobs)
const taskCount = Number(values.tasks)
const workerCounts = values.workers.split(',').map(Number)

const manyAccounts = 16
const ourTasks = `our tasks, of ${manyAccounts} accounts`
const ourTasksOfOne = 'our tasks, all of one account'
const ourJobs = 'our queue'
/** Everything that is measured with a number of workers. Ours first: the others are shown beside it. */
const taskSubjects: Record<string, (workerCount: number) => Promise<Rates>> = {
  [ourTasks]: (workerCount) => wholeTasks(taskCount, { workerCount, accountCount: manyAccounts }),
  [ourTasksOfOne]: (workerCount) => wholeTasks(taskCount, { workerCount, accountCount: 1 }),
  ...(values.before ? earlier(values.before) : {}),
  [`BullMQ app with guarantees, ${manyAccounts} accounts`]: (workerCount) =>
    bullmqTasks(taskCount, { workerCount, fsync: 'always', keeps: 'guaranteed', accountCount: manyAccounts }),
  'BullMQ app with guarantees, one account': (workerCount) =>
    bullmqTasks(taskCount, { workerCount, fsync: 'always', keeps: 'guaranteed', accountCount: 1 }),
  'bare BullMQ app with files, fsync always': (workerCount) =>
    bullmqTasks(taskCount, { workerCount, fsync: 'always', keeps: 'files' }),
  'bare BullMQ app, fsync always': (workerCount) =>
    bullmqTasks(taskCount, { workerCount, fsync: 'always', keeps: 'bare' }),
  'bare BullMQ app, fsync every second': (workerCount) =>
    bullmqTasks(taskCount, { workerCount, fsync: 'everysec', keeps: 'bare' }),
}
const queueSubjects: Record<string, (workerCount: number) => Promise<Rates>> = {
  [ourJobs]: (workers) => ourQueue(workers, jobCount),
  'pg-boss, polling': (workers) => pgBoss(workers, jobCount, false),
  'pg-boss, notified': (workers) => pgBoss(workers, jobCount, true),
}
const measuresTasks = values.only === undefined || values.only === 'tasks'
const measuresQueues = values.only === undefined || values.only === 'queues'
const measuresCost = values.only === undefined || values.only === 'cost'
const subjects = { ...(measuresTasks ? taskSubjects : {}), ...(measuresQueues ? queueSubjects : {}) }

/** The same tasks on another commit. A fifth of them: it is slow, and a rate needs no more. */
function earlier(checkout: string): typeof taskSubjects {
  const count = Math.ceil(taskCount / 5)
  return {
    [`before, of ${manyAccounts} accounts`]: (workerCount) =>
      wholeTasks(count, { workerCount, accountCount: manyAccounts, checkout }),
    'before, all of one account': (workerCount) => wholeTasks(count, { workerCount, accountCount: 1, checkout }),
  }
}

const oneByOne = 'admission, one a transaction'
const coalesced = 'admission, coalesced'

const results = new Map<string, Rates[]>()

async function run(name: string, work: () => Promise<Rates>): Promise<void> {
  const rates = await work()
  results.set(name, [...(results.get(name) ?? []), rates])
  console.error(
    `${name}: ${Math.round(rates.in)} in/s, ${Math.round(rates.out)} out/s, load ${loadavg()[0]!.toFixed(1)}`,
  )
}

function medianOf(name: string): Rates {
  const all = results.get(name)!
  return { in: median(all.map((each) => each.in)), out: median(all.map((each) => each.out)) }
}

/** The rates of `name`, and how many times as fast each of `ours` is. */
function line(name: string, ours: string[]): string {
  const rates = medianOf(name)
  const cells = [rates.in, rates.out].map((rate) => `${Math.round(rate)}/s`)
  const ratios = ours.flatMap((our) => {
    const { in: inRate, out } = medianOf(our)
    return our === name ? ['', ''] : [inRate / rates.in, out / rates.out].map((ratio) => `${ratio.toFixed(2)}x`)
  })
  return row(name, [...cells, ...ratios])
}

const row = (name: string, cells: string[]) => name.padEnd(54) + cells.map((cell) => cell.padStart(10)).join('')

const postgres = await startPostgres()
process.env.TEST_POSTGRES_URL = postgres.url
try {
  for (let round = 0; round < rounds; round++) {
    for (const workers of workerCounts) {
      for (const [name, work] of Object.entries(subjects)) await run(`${name}, ${workers} workers`, () => work(workers))
    }
    if (measuresQueues) {
      await run(oneByOne, () => admission(jobCount, 1))
      await run(coalesced, () => admission(jobCount, 512))
    }
  }
  if (measuresCost) for (const workers of workerCounts) await showCost(workers)
} finally {
  await postgres.stop()
}

async function showCost(workerCount: number): Promise<void> {
  for (const accountCount of [manyAccounts, 1]) {
    const { statements, walBytes, byName, wal } = await costOfTasks(
      taskCount,
      { workerCount, accountCount },
      values.detail,
    )
    console.log(
      `a whole task with ${workerCount} workers and ${accountCount} accounts: ${statements.toFixed(1)} statements, ` +
        `${(walBytes / 1000).toFixed(1)} kB of WAL`,
    )
    if (!values.detail) continue
    for (const [name, count] of byName) console.log(`  ${name.padEnd(40)} ${count.toFixed(3)}`)
    for (const { name, records, bytes } of wal) {
      console.log(
        `  ${name.padEnd(50)} ${records.toFixed(2).padStart(6)} records ${bytes.toFixed(0).padStart(6)} bytes`,
      )
    }
  }
}

const ours = [...(measuresTasks ? [ourTasks, ourTasksOfOne] : []), ...(measuresQueues ? [ourJobs] : [])]
if (ours.length > 0) {
  console.log(row('', ['', '', ...ours.flatMap((name) => [name.slice(0, 19), ''])]))
  console.log(row('', ['in', 'out', ...ours.flatMap(() => ['in', 'out'])]))
}
for (const workers of workerCounts) {
  const beside = ours.map((name) => `${name}, ${workers} workers`)
  for (const name of Object.keys(subjects)) console.log(line(`${name}, ${workers} workers`, beside))
}
if (measuresQueues) for (const name of [coalesced, oneByOne]) console.log(line(name, [coalesced]))
