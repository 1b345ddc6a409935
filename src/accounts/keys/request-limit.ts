// Request limits of sub-keys, per hour, per day or in total. Exact across processes, because the count is in the
// database. Concurrent requests share one transaction.
import type { RequestLimit } from '../../contract/keys.ts'
import type { Db, Tx } from '../../db/db.ts'
import { forUpdate } from '../../db/db.ts'
import { createBatcher } from '../../platform/batcher.ts'
import type { Clock } from '../../platform/clock.ts'

const windowMs: Record<RequestLimit['per'], number> = {
  hour: 3_600_000,
  day: 86_400_000,
  total: Number.POSITIVE_INFINITY,
}

/** Windows are hours and days in UTC; that of a total limit began in 1970. */
export function windowStart(per: RequestLimit['per'], nowMs: number): number {
  return nowMs - (nowMs % windowMs[per])
}

/** Seconds until the window ends; undefined where it never does. */
export function secondsUntilReset(per: RequestLimit['per'], nowMs: number): number | undefined {
  if (per === 'total') return undefined
  return Math.max(1, Math.ceil((windowStart(per, nowMs) + windowMs[per] - nowMs) / 1000))
}

export interface RequestLimiter {
  /** Uses one request of the key; false when none is left. */
  take(keyId: string): Promise<boolean>
}

interface CountRow {
  request_limit: number | null
  request_per: RequestLimit['per'] | null
  request_window_started_at: number
  request_used: number
}

export function createRequestLimiter(deps: { db: Db; clock: Clock }): RequestLimiter {
  const batcher = createBatcher<string, boolean>(
    (keyIds) =>
      deps.db.transaction(async (tx) => {
        const granted = new Map<string, number>()
        // Every process locks in the same order, so that two cannot deadlock.
        for (const keyId of [...new Set(keyIds)].sort()) {
          const wanted = keyIds.filter((id) => id === keyId).length
          granted.set(keyId, await takeUpTo(tx, keyId, wanted, deps.clock.now()))
        }
        return keyIds.map((keyId) => {
          const left = granted.get(keyId)!
          granted.set(keyId, left - 1)
          return left > 0
        })
      }),
    { batchMax: 1000 },
  )
  return { take: (keyId) => batcher.add(keyId) }
}

async function takeUpTo(tx: Tx, keyId: string, wanted: number, nowMs: number): Promise<number> {
  const row = await tx.one<CountRow>(
    `select request_limit, request_per, request_window_started_at, request_used from keys where id = ? ${forUpdate(tx)}`,
    [keyId],
  )
  if (!row?.request_per) return wanted
  const window = windowStart(row.request_per, nowMs)
  const used = row.request_window_started_at === window ? row.request_used : 0
  const granted = Math.min(wanted, row.request_limit! - used)
  if (granted > 0) {
    await tx.run('update keys set request_window_started_at = ?, request_used = ? where id = ?', [
      window,
      used + granted,
      keyId,
    ])
  }
  return granted
}
