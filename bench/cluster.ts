// Many processes on one PostgreSQL, in one run, with 1, 2 and 4 worker processes:
//   - tasks that do no work, accepted and finished a second: ours, through the API to the end (cluster/our-tasks.ts),
//     beside an app on BullMQ with an outbox (cluster/bullmq-app.ts) and beside bare pg-boss, sent and worked;
//   - our queue alone beside pg-boss (cluster/queues.ts);
//   - admission of 64 callers, coalesced and one transaction a call.
// Rounds take turns, so that a busy machine slows all alike; ratios of medians are what counts.
//   node bench/cluster.ts [--rounds 3] [--jobs 3000] [--tasks 600] [--workers 1,2,4]
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/places/postgres.ts'
import { bullmqTasks } from './cluster/bullmq-tasks.ts'
import { admission, wholeTasks } from './cluster/our-tasks.ts'
import { ourQueue, pgBoss } from './cluster/queues.ts'
import type { Rates } from './cluster/rates.ts'
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

const manyAccounts = 16
const ourTasks = `our tasks, of ${manyAccounts} accounts`
const ourJobs = 'our queue'
/** Everything that is measured with a number of workers. Ours first: the others are shown beside it. */
const subjects: Record<string, (workers: number) => Promise<Rates>> = {
  [ourTasks]: (workers) => wholeTasks(workers, taskCount, manyAccounts),
  'our tasks, all of one account': (workers) => wholeTasks(workers, taskCount, 1),
  'BullMQ app, fsync every second': (workers) => bullmqTasks(workers, jobCount, 'everysec'),
  'BullMQ app, fsync always': (workers) => bullmqTasks(workers, jobCount, 'always'),
  [ourJobs]: (workers) => ourQueue(workers, jobCount),
  'pg-boss, polling': (workers) => pgBoss(workers, jobCount, false),
  'pg-boss, notified': (workers) => pgBoss(workers, jobCount, true),
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

const row = (name: string, cells: string[]) => name.padEnd(42) + cells.map((cell) => cell.padStart(10)).join('')

const postgres = await startPostgres()
process.env.TEST_POSTGRES_URL = postgres.url
try {
  for (let round = 0; round < rounds; round++) {
    for (const workers of workerCounts) {
      for (const [name, work] of Object.entries(subjects)) await run(`${name}, ${workers} workers`, () => work(workers))
    }
    await run(oneByOne, () => admission(jobCount, 1))
    await run(coalesced, () => admission(jobCount, 512))
  }
} finally {
  await postgres.stop()
}

console.log(row('', ['', '', 'our tasks', 'beside it', 'our queue', 'beside it']))
console.log(row('', ['in', 'out', 'in', 'out', 'in', 'out']))
for (const workers of workerCounts) {
  const ours = [ourTasks, ourJobs].map((name) => `${name}, ${workers} workers`)
  for (const name of Object.keys(subjects)) console.log(line(`${name}, ${workers} workers`, ours))
}
for (const name of [coalesced, oneByOne]) console.log(line(name, [coalesced]))
