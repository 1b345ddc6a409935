// What engines did lately: their attempts hour by hour. Only outcomes that say something about the engine count as
// attempts: a crashed worker or a canceled task does not.
import { setImmediate } from 'node:timers/promises'
import type { EngineHistory } from '../../contract/operator.ts'
import type { Sql } from '../../db/db.ts'

const hourMs = 3_600_000
/** Enough to describe an hour; more attempts would only take longer to read. */
const attemptsPerHourMax = 1000

interface Ended {
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
      ...(await sql.all<Ended>(
        `select engine, outcome, started_at, ended_at - started_at as ms from task_attempts
         where started_at >= ? and started_at < ? and outcome in ('succeeded', 'failed', 'unavailable', 'silent')
         order by started_at desc limit ${attemptsPerHourMax}`,
        [hour, hour + hourMs],
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
