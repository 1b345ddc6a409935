// The clock of processes that share a PostgreSQL server. It follows the server's clock, so that heartbeats, expiry and
// deadlines mean the same on every machine. Between measurements it uses the process's monotonic timer; the machine's
// time of day is never used.
import type { Clock } from '../../platform/clock.ts'
import type { Sql } from '../db.ts'

interface DatabaseClock extends Clock {
  /** Measures again; keeps the last measurement when the server does not respond. */
  measure(): Promise<void>
  stop(): void
}

const measureEveryMs = 30_000
const roundTrips = 5
/** Time stands still rather than going back. A larger step means that the server's clock was set, and we follow it. */
const standStillMaxMs = 10_000

export const serverTimeSql = 'select extract(epoch from clock_timestamp()) * 1000 as ms'

/** `localMs` must be a monotonic timer. */
export async function createDatabaseClock(
  sql: Pick<Sql, 'one'>,
  localMs: () => number = () => performance.now(),
): Promise<DatabaseClock> {
  let offsetMs = await measureOffset(sql, localMs)
  let lastMs = 0
  const measure = async () => {
    offsetMs = await measureOffset(sql, localMs).catch(() => offsetMs)
  }
  const timer = setInterval(measure, measureEveryMs)
  timer.unref()
  return {
    now() {
      const nowMs = Math.floor(localMs() + offsetMs)
      if (nowMs > lastMs || nowMs < lastMs - standStillMaxMs) lastMs = nowMs
      return lastMs
    },
    measure,
    stop: () => clearInterval(timer),
  }
}

/** The median of a few round trips, so that a slow one does not distort the result. */
async function measureOffset(sql: Pick<Sql, 'one'>, localMs: () => number): Promise<number> {
  const offsets: number[] = []
  for (let i = 0; i < roundTrips; i++) {
    const askedMs = localMs()
    const row = await sql.one<{ ms: number }>(serverTimeSql)
    offsets.push(row!.ms - (askedMs + localMs()) / 2)
  }
  return offsets.sort((a, b) => a - b)[Math.floor(roundTrips / 2)]!
}
