// Resends many callbacks with one request: those with given ids, or all that failed since a given time.
import { inList, type Tx } from '../db/db.ts'
import { isId } from '../platform/ids.ts'
import type { Queue } from '../queue/queue.ts'
import { reopen, resendsMax, urlContains } from './deliveries.ts'

interface ResendMany {
  accountId: string
  ids?: readonly string[] | null
  failedSinceMs?: number | null
  urlText?: string | null
  max: number
}

/** Deliveries that are pending already, or were sent again too often, are left alone; `more` counts only the others. */
export async function resendMany(
  tx: Tx,
  queue: Queue,
  wanted: ResendMany,
  nowMs: number,
): Promise<{ resent: number; more: boolean }> {
  const ids = wanted.ids?.filter(isId) ?? (await failedSince(tx, wanted))
  const chosen = ids.slice(0, wanted.max)
  const where = `${inList(tx, 'id')} and account_id = ? and resends < ?`
  const params = [JSON.stringify(chosen), wanted.accountId, resendsMax]
  const reopened = await reopen(tx, queue, { where, params, counts: true }, nowMs)
  return { resent: reopened.length, more: ids.length > wanted.max }
}

async function failedSince(tx: Tx, { accountId, failedSinceMs, urlText, max }: ResendMany): Promise<string[]> {
  const text = urlText || null
  const rows = await tx.all<{ id: string }>(
    `select id from deliveries where account_id = ? and state <> 'delivered' and state = 'failed' and ended_at >= ?
     and resends < ? ${text === null ? '' : `and ${urlContains(tx)}`} order by id limit ?`,
    [accountId, failedSinceMs ?? 0, resendsMax, ...(text === null ? [] : [text]), max + 1],
  )
  return rows.map(({ id }) => id)
}
