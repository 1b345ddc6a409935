// Deliveries as rows: created in the transaction that ends the task or request, deleted with their subject or account,
// purged. They are read in read-deliveries.ts, sent in deliver.ts and sent again in resend.ts.

import type { DeliveryState } from '../contract/deliveries.ts'
import { anyOf, type Db, type Tx } from '../db/db.ts'
import { givenRows } from '../db/given-rows.ts'
import { drain } from '../platform/drain.ts'
import { newId } from '../platform/ids.ts'
import type { NewJob, Queue } from '../queue/queue.ts'

export interface DeliveryRow {
  id: string
  account_id: string
  key_id: string
  kind: 'task' | 'inference'
  /** Id of the task or inference request. */
  subject: string
  callback_url: string
  origin: string
  body: string
  state: DeliveryState
  /** In the present round. */
  attempts: number
  /** When it was first due, or last sent again. */
  round_at: number
  serving_order: number
  next_at: number | null
  created_at: number
  ended_at: number | null
  /** 1 for an event that its owner sent to test a receiver. */
  is_test: number
  resends: number
}

export interface DeliveryAttemptRow {
  id: string
  delivery_id: string
  started_at: number
  duration_ms: number
  status: number | null
  error: string | null
  response: string | null
  /** JSON objects. */
  request_headers: string | null
  response_headers: string | null
}

export interface NewDelivery {
  accountId: string
  keyId: string
  kind: DeliveryRow['kind']
  subject: string
  url: string
  body: string
  isTest?: boolean
  delayMs?: number
}

/** First attempts, later attempts, and bodies so large that only a few may be in memory at once. */
export const deliverQueues = { first: 'deliver', later: 'deliver:later', large: 'deliver:large' } as const
const largeBodyCharacters = 65_536

/**
 * Each callback is ordered this far after the last pending one to the same receiver. An unresponsive receiver handles
 * one callback in 15 s (one sender, 15 s per attempt), so its backlog stays behind the callbacks to other receivers.
 */
const orderStepMs = 15_000

/** Runs in the transaction that ends the task or request, so that a callback is never lost and never created twice. */
export async function beginDeliveries(
  tx: Tx,
  queue: Queue,
  deliveries: NewDelivery[],
  nowMs: number,
): Promise<DeliveryRow[]> {
  if (deliveries.length === 0) return []
  const addressed = deliveries.map((delivery) => ({ ...delivery, origin: new URL(delivery.url).origin }))
  const lastOrders = await lastPendingOrders(tx, addressed)
  const rows = addressed.map(({ delayMs = 0, ...delivery }): DeliveryRow => {
    const { accountId, origin } = delivery
    const receiver = receiverOf(accountId, origin)
    const order = Math.max(nowMs, (lastOrders.get(receiver) ?? 0) + orderStepMs)
    lastOrders.set(receiver, order)
    return {
      id: newId(nowMs),
      account_id: accountId,
      key_id: delivery.keyId,
      kind: delivery.kind,
      subject: delivery.subject,
      callback_url: delivery.url,
      origin,
      body: delivery.body,
      state: 'pending',
      attempts: 0,
      round_at: nowMs + delayMs,
      serving_order: order,
      next_at: nowMs + delayMs,
      created_at: nowMs,
      ended_at: null,
      is_test: delivery.isTest ? 1 : 0,
      resends: 0,
    }
  })
  await tx.insert(
    'deliveries',
    rows.map((row) => ({ ...row })),
  )
  await queue.enqueue(
    tx,
    rows.map((row) => ({ ...deliverJob(row, 0), delayMs: row.next_at! - nowMs })),
  )
  return rows
}

/** Sends now what was stored with a delay. */
export async function makeDue(tx: Tx, queue: Queue, subjects: string[], nowMs: number): Promise<void> {
  const delayed = await tx.all<{ id: string }>(
    `update deliveries set round_at = ?, next_at = ? where ${anyOf(tx, 'subject')} and state = 'pending' and attempts = 0
     and next_at > ? returning id`,
    [nowMs, nowMs, JSON.stringify(subjects), nowMs],
  )
  await queue.makeDue(
    tx,
    delayed.map(({ id }) => id),
  )
}

const receiverOf = (accountId: string, origin: string) => `${accountId} ${origin}`

/** The order of the last pending callback to each of these receivers. */
async function lastPendingOrders(
  tx: Tx,
  deliveries: { accountId: string; origin: string }[],
): Promise<Map<string, number>> {
  const receivers = new Map(
    deliveries.map(({ accountId, origin }) => [receiverOf(accountId, origin), { accountId, origin }]),
  )
  const given = givenRows(
    tx,
    { account: 'text', origin: 'text' },
    [...receivers.values()].map(({ accountId, origin }) => ({ account: accountId, origin })),
  )
  const rows = await tx.all<{ account: string; origin: string; serving_order: number | null }>(
    `select v_account as account, v_origin as origin, (select max(serving_order) from deliveries
       where account_id = v_account and origin = v_origin and state = 'pending') as serving_order
     from ${given.from}`,
    given.params,
  )
  return new Map(rows.map(({ account, origin, serving_order }) => [receiverOf(account, origin), serving_order ?? 0]))
}

type Addressed = Pick<DeliveryRow, 'id' | 'account_id' | 'origin' | 'attempts' | 'serving_order'> & { body: string }

/** Each receiver of each account is a group, so that none can crowd out the others. */
export function deliverJob(delivery: Addressed, delayMs: number): NewJob {
  const isLarge = delivery.body.length > largeBodyCharacters
  return {
    queue: isLarge ? deliverQueues.large : delivery.attempts === 0 ? deliverQueues.first : deliverQueues.later,
    subject: delivery.id,
    group: receiverOf(delivery.account_id, delivery.origin),
    owner: delivery.account_id,
    order: delivery.serving_order + delayMs,
    delayMs,
  }
}

/** Returns the accounts that have reached the maximum of undelivered callbacks. */
export async function accountsAtCap(tx: Tx, accountIds: string[], pendingMax: number): Promise<Set<string>> {
  const full = new Set<string>()
  for (const id of accountIds) {
    const pending = await tx.one<{ count: number }>(
      `select count(*) as count from (select 1 from deliveries where account_id = ? and state = 'pending' limit ?) as p`,
      [id, pendingMax],
    )
    if (pending!.count >= pendingMax) full.add(id)
  }
  return full
}

/** Removes the callback about a subject that its owner deletes, with its attempts. A job that is left finds nothing. */
export async function deleteDelivery(tx: Tx, subject: string): Promise<void> {
  await tx.run('delete from deliveries where subject = ?', [subject])
}

/** Deletes every callback of an account, with its attempts. */
export async function deleteDeliveries(tx: Tx, accountId: string): Promise<void> {
  await tx.run('delete from deliveries where account_id = ?', [accountId])
}

const purgeMax = 50

/** Deletes deliveries that ended longer than `recordTtlMs` ago, with their attempts. */
export function purgeOldDeliveries(db: Db, recordTtlMs: number, nowMs: number, signal: AbortSignal): Promise<number> {
  const text = 'delete from deliveries where id in (select id from deliveries where ended_at < ? limit ?)'
  return drain(() => db.run(text, [nowMs - recordTtlMs, purgeMax]), { batchMax: purgeMax, signal })
}
