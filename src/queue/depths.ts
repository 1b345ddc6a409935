// How full the queues are, and which live workers serve them. Every statement reads a bounded part of an index, however
// many jobs wait.
import { countedJobsMax, type QueueDepth } from '../contract/operator.ts'
import type { QueueState, WorkerProcess } from '../contract/operator-queues.ts'
import type { Sql } from '../db/db.ts'
import { whereClause } from '../db/where-clause.ts'

/** Sorts after every name that begins with the prefix, and before all others that follow it. */
export const endOf = (prefix: string) =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)

/** The queues with waiting jobs whose names begin with the prefix. Reads one job of each, however many wait. */
export async function waitingQueues(sql: Sql, prefix = ''): Promise<string[]> {
  const queues: string[] = []
  for (;;) {
    const { where, params } = whereClause(
      { 'queue > ?': queues.at(-1) ?? prefix, 'queue < ?': prefix === '' ? undefined : endOf(prefix) },
      ['worker is null'],
    )
    const next = await sql.one<{ queue: string }>(
      `select queue from jobs ${where} order by queue, serving_order, subject limit 1`,
      params,
    )
    if (!next) return queues
    queues.push(next.queue)
  }
}

/**
 * How many jobs run in each queue, how many wait, and for how long the oldest of these has been due. In long queues
 * only the first jobs in serving order are counted. Also used by processes that only observe.
 */
export async function queueDepths(sql: Sql, nowMs: number): Promise<QueueDepth[]> {
  const claimed = await sql.all<{ queue: string; running: number }>(
    'select queue, count(*) as running from jobs where worker is not null group by queue',
  )
  const running = new Map(claimed.map((row) => [row.queue, row.running]))
  const names = new Set([...running.keys(), ...(await waitingQueues(sql))])
  const depths: QueueDepth[] = []
  for (const queue of [...names].sort()) {
    const found = await sql.one<{ waiting: number; later: number; oldest: number | null }>(
      `select count(*) as waiting, count(case when run_at > ? then 1 end) as later, min(case when run_at <= ? then run_at end) as oldest from (
         select run_at from jobs where queue = ? and worker is null order by serving_order, subject limit ${countedJobsMax}
       ) as counted`,
      [nowMs, nowMs, queue],
    )
    const { waiting, later, oldest } = found!
    const oldestMs = oldest === null ? 0 : Math.max(0, nowMs - oldest)
    depths.push({ queue, waiting, later, running: running.get(queue) ?? 0, oldestMs })
  }
  return depths
}

interface Found {
  /** Only queues with jobs. */
  depths: QueueDepth[]
  workers: WorkerProcess[]
  paused: ReadonlySet<string>
  /** Queues of this configuration, whether they have jobs or not. */
  configured: readonly string[]
}

const empty = { waiting: 0, later: 0, running: 0, oldestMs: 0 }

/** Every queue with what it holds and which live workers serve it. */
export function queueStates({ depths, workers, paused, configured }: Found): QueueState[] {
  const byName = new Map(depths.map((depth) => [depth.queue, depth]))
  const served = Map.groupBy(
    workers.flatMap(({ queues }) => queues),
    ({ queue }) => queue,
  )
  const names = new Set([...configured, ...byName.keys(), ...served.keys(), ...paused])
  return [...names].sort().map((queue) => ({
    ...(byName.get(queue) ?? { queue, ...empty }),
    kind: kindOf(queue),
    paused: paused.has(queue),
    workers: served.get(queue)?.length ?? 0,
  }))
}

/** `generate` of `generate:studio`. */
const kindOf = (queue: string) => queue.split(':')[0]!

/** The queues, summed up by kind. */
export function queueKinds(states: readonly QueueState[]) {
  return [...Map.groupBy(states, ({ kind }) => kind)].map(([kind, of]) => ({
    kind,
    waiting: sum(of, 'waiting'),
    later: sum(of, 'later'),
    running: sum(of, 'running'),
    oldestMs: Math.max(...of.map(({ oldestMs }) => oldestMs)),
  }))
}

const sum = (states: readonly QueueState[], count: 'waiting' | 'later' | 'running') =>
  states.reduce((total, state) => total + state[count], 0)
