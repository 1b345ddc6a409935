// What engines did lately: their attempts hour by hour. Only outcomes that say something about the engine count as
// attempts: a crashed worker, a canceled task or a refused input does not.
import { setImmediate } from 'node:timers/promises'
import type { EngineHistory } from '../../contract/operator.ts'
import { blamesRequest } from '../../contract/tasks/fail-reasons.ts'
import { anyOf, type Sql } from '../../db/db.ts'

const hourMs = 3_600_000
/** Enough to describe an hour; more attempts would only take longer to read. */
const attemptsPerHourMax = 1000

interface Ended {
  task_id: string
  engine: string
  outcome: string
  started_at: number
  ms: number
}

export async function readEngineHistory(sql: Sql, hours: number, nowMs: number): Promise<EngineHistory[]> {
  const since = nowMs - (nowMs % hourMs) - (hours - 1) * hourMs
  const ended: Ended[] = []
  for (let hour = since; hour <= nowMs; hour += hourMs) {
    ended.push(
      ...(await withoutRefused(
        sql,
        await sql.all<Ended>(
          `select task_id, engine, outcome, started_at, ended_at - started_at as ms from task_attempts
         where started_at >= ? and started_at < ? and outcome in ('succeeded', 'failed', 'unavailable', 'silent')
         order by started_at desc limit ${attemptsPerHourMax}`,
          [hour, hour + hourMs],
        ),
      )),
    )
    // SQLite runs in this thread: other requests get their turn between the hours.
    await setImmediate()
  }
  const byEngine = Map.groupBy(ended, ({ engine }) => engine)
  return [...byEngine]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([engine, attempts]) => ({ engine, hours: hoursOf(attempts) }))
}

/** Without attempts whose task failed because of its own input files or prompt: those are no failures of the engine. */
async function withoutRefused(sql: Sql, ended: Ended[]): Promise<Ended[]> {
  const failed = ended.filter(({ outcome }) => outcome !== 'succeeded').map(({ task_id: id }) => id)
  if (failed.length === 0) return ended
  const tasks = await sql.all<{ id: string; fail_reason: string }>(
    `select id, fail_reason from tasks where ${anyOf(sql, 'id')} and state = 'fail'`,
    [JSON.stringify(failed)],
  )
  const refused = new Set(tasks.filter(({ fail_reason: reason }) => blamesRequest(reason)).map(({ id }) => id))
  return ended.filter(({ task_id: id }) => !refused.has(id))
}

/** Hours without an attempt are left out. */
function hoursOf(attempts: Ended[]): EngineHistory['hours'] {
  const byHour = Map.groupBy(attempts, ({ started_at: at }) => at - (at % hourMs))
  return [...byHour]
    .toSorted(([a], [b]) => a - b)
    .map(([hour, of]) => {
      const times = of.filter(({ outcome }) => outcome === 'succeeded').map(({ ms }) => ms)
      const sorted = times.toSorted((a, b) => a - b)
      return {
        hour,
        attempts: of.length,
        succeeded: times.length,
        p50Ms: sorted[Math.floor(sorted.length / 2)] ?? null,
      }
    })
}
