// Starts new rounds of attempts: for one callback, for those with given ids, or for all that failed since a given time.
import { apiError } from '../contract/errors.ts'
import { anyOf, type Db, forUpdate, type Param, type Tx } from '../db/db.ts'
import { windows } from '../limits/table.ts'
import { isId } from '../platform/ids.ts'
import type { Queue } from '../queue/queue.ts'
import { type DeliveryRow, deliverJob } from './deliveries.ts'
import { urlContains } from './read-deliveries.ts'

const { of: resendsMax, refuse } = windows.resendsOfOne

/**
 * Starts a new round of attempts; a pending delivery gets its next attempt at once, or as soon as the attempt that is
 * under way has failed. An operator, who names no account, may do so without limit.
 */
export async function resendDelivery(
  deps: { db: Db; queue: Queue },
  id: string,
  accountId: string | null,
  nowMs: number,
): Promise<DeliveryRow> {
  if (!isId(id)) throw apiError('no_delivery')
  return deps.db.transaction(async (tx) => {
    const found = await tx.one<DeliveryRow>(`select * from deliveries where id = ? ${forUpdate(tx)}`, [id])
    if (!found || (accountId !== null && found.account_id !== accountId)) throw apiError('no_delivery')
    if (accountId !== null && found.resends >= resendsMax) throw refuse()
    const resends = found.resends + (accountId === null ? 0 : 1)
    if (found.state === 'pending') {
      const nextAt = Math.min(found.next_at!, nowMs)
      const sql = 'update deliveries set round_at = ?, next_at = ?, resends = ? where id = ?'
      await tx.run(sql, [nowMs, nextAt, resends, id])
      await deps.queue.makeDue(tx, [id])
      return { ...found, round_at: nowMs, next_at: nextAt, resends }
    }
    const [reopened] = await reopen(
      tx,
      deps.queue,
      { where: 'id = ?', params: [id], counts: accountId !== null },
      nowMs,
    )
    return reopened!
  })
}

/** Starts a new round of attempts for deliveries that have ended. `counts`: towards the resends of each. */
async function reopen(
  tx: Tx,
  queue: Queue,
  { where, params, counts }: { where: string; params: Param[]; counts: boolean },
  nowMs: number,
): Promise<DeliveryRow[]> {
  const reopened = await tx.all<DeliveryRow>(
    `update deliveries set state = 'pending', attempts = 0, round_at = ?, serving_order = ?, next_at = ?, ended_at = null,
     resends = resends + ? where ${where} and state <> 'pending' returning *`,
    [nowMs, nowMs, nowMs, counts ? 1 : 0, ...params],
  )
  await queue.enqueue(
    tx,
    reopened.map((row) => deliverJob(row, 0)),
  )
  return reopened
}

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
  const where = `${anyOf(tx, 'id')} and account_id = ? and resends < ?`
  const params = [JSON.stringify(chosen), wanted.accountId, resendsMax]
  const reopened = await reopen(tx, queue, { where, params, counts: true }, nowMs)
  return { resent: reopened.length, more: ids.length > wanted.max }
}

async function failedSince(tx: Tx, { accountId, failedSinceMs, urlText, max }: ResendMany): Promise<string[]> {
  const text = urlText || null
  // The first condition on the state is needed to match the partial index.
  const rows = await tx.all<{ id: string }>(
    `select id from deliveries where account_id = ? and state <> 'delivered' and state = 'failed' and ended_at >= ?
     and resends < ? ${text === null ? '' : `and ${urlContains(tx)}`} order by id limit ?`,
    [accountId, failedSinceMs ?? 0, resendsMax, ...(text === null ? [] : [text]), max + 1],
  )
  return rows.map(({ id }) => id)
}
