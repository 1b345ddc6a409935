// The total price of the tasks that an engine runs, or has finished, in a window of time. It is read before every task of
// an engine with a cap, so what ended a while ago is summed once and remembered. Each process remembers its own sums.
import { setImmediate } from 'node:timers/promises'
import type { Sql } from '../../db/db.ts'
import type { Clock } from '../../platform/clock.ts'
import { heldSubjects } from '../../queue/jobs.ts'

type EngineCredits = (engine: string, sinceMs: number) => Promise<number>

/**
 * Ends are stored some time after the time that they carry: a transaction may be slow, and clocks differ. A sum is
 * remembered only up to this long ago.
 */
const settledAfterMs = 30_000
/** The rest is summed every time, and remembered once it is longer than this. */
const unsettledMaxMs = 2 * settledAfterMs
/** SQLite runs in this thread: other requests get their turn after this many tasks. */
const summedAtOnce = 5000

interface Settled {
  sinceMs: number
  /** Tasks that ended before are in `credits`. */
  untilMs: number
  credits: number
}

export function createEngineCredits({ db, clock }: { db: Sql; clock: Clock }): EngineCredits {
  const settled = new Map<string, Settled>()
  /** Simultaneous calls for an engine share one. */
  const settling = new Map<string, Promise<void>>()

  async function settle(engine: string, sinceMs: number, untilMs: number): Promise<void> {
    const before = settled.get(engine)
    let sum = before && continues(before, sinceMs, untilMs) ? before : { sinceMs, untilMs: sinceMs, credits: 0 }
    while (sum.untilMs < untilMs) {
      const nextMs = await endOfFirst(db, summedAtOnce, sum.untilMs, untilMs)
      const credits = sum.credits + (await creditsOfEnded(db, engine, sum.untilMs, nextMs))
      sum = { sinceMs, untilMs: nextMs, credits }
      await setImmediate()
    }
    settled.set(engine, sum)
  }

  return async (engine, sinceMs) => {
    for (;;) {
      const nowMs = clock.now()
      const sum = settled.get(engine)
      if (sum && continues(sum, sinceMs, nowMs) && nowMs - sum.untilMs <= unsettledMaxMs) {
        // In this order, a task that ends meanwhile counts twice instead of not at all.
        const running = await creditsOfRunning(db, engine, sinceMs)
        return sum.credits + running + (await creditsOfEnded(db, engine, sum.untilMs, Number.MAX_SAFE_INTEGER))
      }
      const untilMs = Math.max(sinceMs, nowMs - settledAfterMs)
      const work = settling.get(engine) ?? settle(engine, sinceMs, untilMs).finally(() => settling.delete(engine))
      settling.set(engine, work)
      await work
    }
  }
}

/** Whether the sum is one of this window; after the clock was set back, tasks end again in time that was summed. */
const continues = (sum: Settled, sinceMs: number, nowMs: number) => sum.sinceMs === sinceMs && sum.untilMs <= nowMs

/** The time before which at most about `count` tasks ended, from `fromMs` on; `untilMs` at the latest. */
async function endOfFirst(sql: Sql, count: number, fromMs: number, untilMs: number): Promise<number> {
  const next = await sql.one<{ at: number }>(
    'select completed_at as at from tasks where completed_at > ? and completed_at < ? order by completed_at limit 1 offset ?',
    [fromMs, untilMs, count],
  )
  return next?.at ?? untilMs
}

async function creditsOfEnded(sql: Sql, engine: string, fromMs: number, toMs: number): Promise<number> {
  const row = await sql.one<{ credits: number }>(
    `select coalesce(sum(price), 0) as credits from tasks
     where completed_at >= ? and completed_at < ? and engine = ? and state = 'success'`,
    [fromMs, toMs, engine],
  )
  return row!.credits
}

/** Found by their jobs: those that run are few, however many tasks wait. */
async function creditsOfRunning(sql: Sql, engine: string, sinceMs: number): Promise<number> {
  const row = await sql.one<{ credits: number }>(
    `select coalesce(sum(price), 0) as credits from tasks
     where id in (${heldSubjects}) and engine = ? and state = 'generating' and state_at >= ?`,
    [engine, sinceMs],
  )
  return row!.credits
}
