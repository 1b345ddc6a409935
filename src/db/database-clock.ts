// The clock of processes that share a PostgreSQL: its server's, so that leases, expiry and deadlines mean the same on
// every machine, however wrong its own clock is. Between measurements it runs with the process's steady timer, which
// nobody can set; the machine's time of day is never asked.
import type { Clock } from '../platform/clock.ts'
import type { Sql } from './db.ts'

export interface DatabaseClock extends Clock {
  /** Measures anew; keeps what it knows when the server does not answer. */
  measure(): Promise<void>
  stop(): void
}

const measureEveryMs = 30_000
const roundTrips = 5
/** Time stands still rather than going back; by more than this, the server's clock was set, and we follow. */
const standStillMaxMs = 10_000

const serverTimeSql = 'select extract(epoch from clock_timestamp()) * 1000 as ms'

/** Epoch milliseconds of the server, asked once. */
export async function databaseNow(sql: Pick<Sql, 'one'>): Promise<number> {
  const row = await sql.one<{ ms: number }>(serverTimeSql)
  return Math.floor(row!.ms)
}

/** `localMs` is a timer that only ever goes forward. */
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

/** The median of a few round trips: one that was held up does not count. */
async function measureOffset(sql: Pick<Sql, 'one'>, localMs: () => number): Promise<number> {
  const offsets: number[] = []
  for (let i = 0; i < roundTrips; i++) {
    const askedMs = localMs()
    const row = await sql.one<{ ms: number }>(serverTimeSql)
    offsets.push(row!.ms - (askedMs + localMs()) / 2)
  }
  return offsets.sort((a, b) => a - b)[Math.floor(roundTrips / 2)]!
}
