// Sends many callbacks again with one request: some that are named, or all that failed since a time.
import { inList, type Tx } from '../db/db.ts'
import { isId } from '../platform/ids.ts'
import type { Queue } from '../queue/queue.ts'
import { type DeliveryRow, deliverJob, resendsMax, urlContains } from './deliveries.ts'

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
  const reopened = await tx.all<DeliveryRow>(
    `update deliveries set state = 'pending', tries = 0, round_at = ?, order_no = ?, next_at = ?, ended_at = null,
     resends = resends + 1
     where ${inList(tx, 'id')} and account_id = ? and state in ('delivered', 'failed') and resends < ? returning *`,
    [nowMs, nowMs, nowMs, JSON.stringify(chosen), wanted.accountId, resendsMax],
  )
  await queue.enqueue(
    tx,
    reopened.map((row) => deliverJob(row, 0)),
  )
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
