// The retry policy of all work on the database: which failures are retried, how often, how long and after which delays. The
// table and the decision are values, and `retrying` is the only loop. What an error of PostgreSQL means is decided in
// postgres/failures.ts.
import { setTimeout as sleep } from 'node:timers/promises'
import { CommitUnknown, isUnavailable } from './db.ts'
import { isWriteFailure } from './write-health.ts'

/** What a failure means for another attempt. */
export type Failure =
  /** Another attempt would fail in the same way. */
  | 'final'
  /** The server refuses connections: it restarts, or is being promoted. */
  | 'unreachable'
  /** No connection is free, or another process holds the lock of SQLite or of a table. */
  | 'busy'
  /** The connection broke before COMMIT was sent: nothing was stored. */
  | 'connection lost'
  /** The same after a statement's whole time limit. */
  | 'silent'
  /** A serialization failure or a deadlock: the transaction may be run again. */
  | 'conflict'
  /** The server is a standby that is not promoted yet. */
  | 'read-only'
  /** The columns of a prepared statement have changed. Every connection of the pool may have the old plan. */
  | 'stale plan'
  /** The database accepts no writes, whatever is written. */
  | 'not writable'
  /** Work that is repeated after every failure. */
  | 'any'

interface Rule {
  /** This many retries follow without a delay. */
  atOnce?: number
  /** Delay before each later one; there are none without it. */
  everyMs?: number
  /** The most retries of either kind. */
  retriesMax?: number
  /** No delay begins later than this after the first attempt. */
  withinMs?: number
}

/** A server that is restarting, being promoted, or out of connections. */
const outage = { everyMs: 200, withinMs: 5_000 }

export const retryPolicy = {
  /** A connection for a write: nothing was sent yet. */
  connect: { unreachable: outage, busy: outage },
  /** A read changes nothing. One silent connection has taken longer than an outage may; the next one is new. */
  read: {
    unreachable: { ...outage, atOnce: 1 },
    busy: outage,
    'connection lost': { atOnce: 1 },
    silent: { atOnce: 1 },
    'stale plan': { atOnce: Number.POSITIVE_INFINITY },
  },
  /** A write that is one statement: it may have been stored when its connection breaks. */
  statement: { 'stale plan': { atOnce: Number.POSITIVE_INFINITY } },
  transaction: {
    // Only this connection may have been broken. A pooler without a server accepts each new one and closes it.
    'connection lost': { ...outage, atOnce: 1 },
    silent: { atOnce: 3 },
    conflict: { atOnce: 3 },
    'read-only': outage,
    'stale plan': { atOnce: Number.POSITIVE_INFINITY },
  },
  /** BEGIN on SQLite. Each attempt blocks the event loop for a moment, so there are many short ones. */
  begin: { busy: { everyMs: 10, withinMs: 10_000 } },
  /** A write that waits until the database accepts writes again. */
  write: { 'not writable': { everyMs: 1_000 } },
  /** Whether a lost COMMIT was stored, before the client gets an error. */
  lookUp: { any: { everyMs: 500, retriesMax: 19 } },
  /** A migration that waits for the lock of a table: others pass in between. */
  migrate: { busy: { everyMs: 1_000, retriesMax: 19 } },
  /** The connection that listens for changes. */
  listen: { any: { everyMs: 500 } },
  /** A claim of jobs. */
  claim: { any: { everyMs: 1_000 } },
} as const satisfies Record<string, Partial<Record<Failure, Rule>>>

export type Work = keyof typeof retryPolicy

/** Milliseconds until the next attempt; null when there is none. `retries`: those after this kind of failure so far. */
export function delayBeforeRetry(
  work: Work,
  failure: Failure,
  { retries, elapsedMs }: { retries: number; elapsedMs: number },
): number | null {
  const rules: Partial<Record<Failure, Rule>> = retryPolicy[work]
  const { atOnce = 0, everyMs, retriesMax, withinMs } = rules[failure] ?? {}
  if (retries < atOnce) return 0
  if (everyMs === undefined || retries >= (retriesMax ?? retries + 1)) return null
  return elapsedMs < (withinMs ?? Number.POSITIVE_INFINITY) ? everyMs : null
}

/**
 * Whether the failure of a batch may be that of one item, so that its parts are retried alone. Otherwise each of them would
 * wait just as long, or may be stored already.
 */
export const mayBeOfOneItem = (error: unknown) => !(error instanceof CommitUnknown || isUnavailable(error))

interface Retrying {
  failureOf(error: unknown): Failure
  /** When the time of the policy began, by `performance.now()`; now if omitted. */
  sinceMs?: number
  givesUp?(error: unknown): boolean
  /** Called before each retry. */
  onRetry?(error: unknown): void
}

/** Rejects with the error of the last attempt. */
export async function retrying<T>(work: Work, attempt: () => Promise<T> | T, options: Retrying): Promise<T> {
  const sinceMs = options.sinceMs ?? performance.now()
  const retries: Partial<Record<Failure, number>> = {}
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const failure = options.failureOf(error)
      const past = { retries: retries[failure] ?? 0, elapsedMs: performance.now() - sinceMs }
      const delayMs = delayBeforeRetry(work, failure, past)
      if (delayMs === null || options.givesUp?.(error)) throw error
      options.onRetry?.(error)
      retries[failure] = past.retries + 1
      if (delayMs > 0) await sleep(delayMs)
    }
  }
}

/** Repeats a write until the database accepts writes again, or `givesUp` returns true. */
export function retryUntilWritable<T>(
  write: () => Promise<T>,
  options: Required<Pick<Retrying, 'givesUp' | 'onRetry'>>,
): Promise<T> {
  return retrying('write', write, {
    ...options,
    failureOf: (error) => (isWriteFailure(error) ? 'not writable' : 'final'),
  })
}
