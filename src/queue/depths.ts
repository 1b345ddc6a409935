// How full the queues are. Every statement reads a bounded part of an index, however many jobs wait.
import { countedJobsMax, type QueueDepth } from '../contract/operator.ts'
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
      ['lease_until is null'],
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
  const leased = await sql.all<{ queue: string; running: number }>(
    'select queue, count(*) as running from jobs where lease_until is not null group by queue',
  )
  const running = new Map(leased.map((row) => [row.queue, row.running]))
  const names = new Set([...running.keys(), ...(await waitingQueues(sql))])
  const depths: QueueDepth[] = []
  for (const queue of [...names].sort()) {
    const found = await sql.one<{ waiting: number; later: number; oldest: number | null }>(
      `select count(*) as waiting, count(case when run_at > ? then 1 end) as later, min(case when run_at <= ? then run_at end) as oldest from (
         select run_at from jobs where queue = ? and lease_until is null order by serving_order, subject limit ${countedJobsMax}
       ) as counted`,
      [nowMs, nowMs, queue],
    )
    const { waiting, later, oldest } = found!
    const oldestMs = oldest === null ? 0 : Math.max(0, nowMs - oldest)
    depths.push({ queue, waiting, later, running: running.get(queue) ?? 0, oldestMs })
  }
  return depths
}
