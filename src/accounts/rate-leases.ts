// One rate limit over several processes. Each process leases a share of a key's rate from the database, in blocks, and
// applies it in memory with an exact sliding window. The shares of a key never add up to more than its rate, so all
// processes together never allow too many requests in any window. The cost: other processes cannot use an unused share
// until it is released, after a second or two, or after a lease and a window if its process was killed. A key near its
// limit may therefore be refused a little early when its requests move between machines.
import { randomUUID } from 'node:crypto'
import { advisoryLocks, type Db } from '../db/db.ts'
import type { Clock } from '../platform/clock.ts'
import type { Rate } from '../platform/durations.ts'
import { newRing, push, type RateLimiter, type Ring, resetMs, usedIn } from './rate-limit.ts'

export interface LeasedRateLimiter extends RateLimiter {
  /** Releases unused shares and extends the others; called every second. */
  runOnce(): Promise<void>
  /** Releases everything except the requests that still count towards a window. */
  close(): Promise<void>
}

interface Held {
  ring: Ring
  rate: Rate
  share: number
  /** The shares of other processes at the last query. */
  others: number
  usableUntilMs: number
  waiting: number
  /** Set after a query that gained nothing: no query before this time. */
  askAgainAtMs: number
  asking: Promise<void> | undefined
}

/** A process that has not renewed its lease for this long may no longer use its shares. */
const leaseMs = 10_000
/** The largest difference between a process's clock and the database's. */
const clockMarginMs = 1_000
/** A rate is leased in this many blocks, or in single requests. */
const blocks = 16
const askAgainMs = 100

export function createLeasedRateLimiter({ db, clock }: { db: Db; clock: Clock }): LeasedRateLimiter {
  const processId = randomUUID()
  const heldByKey = new Map<string, Held>()
  // A share is never extended and released at the same time.
  let tending: Promise<void> = Promise.resolve()
  const countsUntil = (rate: Rate, nowMs: number) => nowMs + leaseMs + rate.perMs + clockMarginMs
  const blockOf = (rate: Rate) => Math.max(1, Math.floor(rate.requests / blocks))

  /** Leases one more block, or as much as the waiting requests need. */
  async function lease(keyId: string, held: Held): Promise<void> {
    const { rate } = held
    await tending
    const wanted = Math.max(blockOf(rate), held.waiting)
    const { share, others, nowMs } = await db.transaction(async (tx) => {
      await tx.all(`select pg_advisory_xact_lock(${advisoryLocks.rateLeases}, hashtext(?))`, [keyId])
      const nowMs = clock.now()
      const rows = await tx.all<{ process_id: string; share: number }>(
        'select process_id, share from rate_leases where key_id = ? and until_ms > ?',
        [keyId, nowMs],
      )
      const sum = (mine: boolean) =>
        rows.reduce((total, row) => total + ((row.process_id === processId) === mine ? row.share : 0), 0)
      const others = sum(false)
      const share = Math.max(0, Math.min(sum(true) + wanted, rate.requests - others))
      await tx.run(
        `insert into rate_leases (key_id, process_id, share, until_ms) values (?, ?, ?, ?)
         on conflict (key_id, process_id) do update set share = excluded.share, until_ms = excluded.until_ms`,
        [keyId, processId, share, countsUntil(rate, nowMs)],
      )
      return { share, others, nowMs }
    })
    if (share <= held.share && nowMs < held.usableUntilMs) held.askAgainAtMs = nowMs + askAgainMs
    held.share = share
    held.others = others
    held.usableUntilMs = nowMs + leaseMs
    if (share === 0) held.askAgainAtMs = nowMs + askAgainMs
  }

  function decide(held: Held, allowed: boolean, nowMs: number) {
    const { rate, ring, others } = held
    return {
      allowed,
      remaining: allowed ? Math.max(0, rate.requests - others - ring.size) : 0,
      resetMs: ring.size > 0 ? resetMs(ring, rate.perMs, nowMs) : 1000,
    }
  }

  return {
    async take(keyId, rate, askedMs) {
      let held = heldByKey.get(keyId)
      if (!held) {
        held = { ring: newRing(), rate, share: 0, others: 0, ...fresh }
        heldByKey.set(keyId, held)
      }
      held.rate = rate
      held.waiting++
      try {
        for (let nowMs = askedMs; ; nowMs = clock.now()) {
          const used = usedIn(held.ring, rate.perMs, nowMs)
          if (nowMs < held.usableUntilMs && used < Math.min(held.share, rate.requests)) {
            push(held.ring, nowMs)
            return decide(held, true, nowMs)
          }
          if (nowMs < held.askAgainAtMs) return decide(held, false, nowMs)
          const asked = held
          asked.asking ??= lease(keyId, asked).finally(() => {
            asked.asking = undefined
          })
          await asked.asking
        }
      } finally {
        held.waiting--
      }
    },

    runOnce() {
      const done = tend()
      tending = done.catch(() => {})
      return done
    },

    async close() {
      const nowMs = clock.now()
      const left = [...heldByKey].map(([key_id, { ring, rate }]) => ({
        key_id,
        share: usedIn(ring, rate.perMs, nowMs),
        until_ms: nowMs + rate.perMs + clockMarginMs,
      }))
      heldByKey.clear()
      await store(left, nowMs)
    },
  }

  async function tend(): Promise<void> {
    const nowMs = clock.now()
    const changed: { key_id: string; share: number; until_ms: number }[] = []
    for (const [keyId, held] of heldByKey) {
      if (held.asking || held.waiting > 0) continue
      const used = usedIn(held.ring, held.rate.perMs, nowMs)
      if (used === 0) heldByKey.delete(keyId)
      const spare = used <= held.share / 2 && held.share > used + blockOf(held.rate)
      if (!spare && used > 0 && nowMs < held.usableUntilMs - leaseMs / 2) continue
      // Reduced here first: a released share must not be used here when another process gets it.
      if (used === 0) held.share = 0
      else if (spare) held.share = used + blockOf(held.rate)
      changed.push({ key_id: keyId, share: held.share, until_ms: countsUntil(held.rate, nowMs) })
    }
    const kept = new Set(await store(changed, nowMs))
    for (const { key_id } of changed) {
      const held = heldByKey.get(key_id)
      if (held) held.usableUntilMs = kept.has(key_id) ? nowMs + leaseMs : 0
    }
    await db.run('delete from rate_leases where until_ms <= ? or (process_id = ? and share = 0)', [nowMs, processId])
  }

  /** Returns the keys whose lease had not expired. */
  async function store(rows: { key_id: string; share: number; until_ms: number }[], nowMs: number): Promise<string[]> {
    if (rows.length === 0) return []
    const kept = await db.transaction((tx) =>
      tx.all<{ key_id: string }>(
        `update rate_leases as l set share = v.share, until_ms = v.until_ms
         from json_to_recordset(?::json) as v (key_id text, share bigint, until_ms bigint)
         where l.key_id = v.key_id and l.process_id = ? and l.until_ms > ? returning l.key_id`,
        [JSON.stringify(rows), processId, nowMs],
      ),
    )
    return kept.map((row) => row.key_id)
  }
}

const fresh = { usableUntilMs: 0, waiting: 0, askAgainAtMs: 0, asking: undefined }
