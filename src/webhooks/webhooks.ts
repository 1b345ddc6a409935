// Wires callbacks together: ended tasks and requests create deliveries, workers send them, upkeep purges old ones.

import type { Tx } from '../db/db.ts'
import { endOfTask } from '../inference/end-of-task.ts'
import { requestPayload } from '../inference/payload.ts'
import type { RequestRow } from '../inference/requests.ts'
import { slots } from '../limits/table.ts'
import { newId } from '../platform/ids.ts'
import type { TaskRow } from '../tasks/store/task-row.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { AfterResponse } from './after-response.ts'
import { createDeliver, type DeliverDeps } from './deliver.ts'
import { accountsAtCap, beginDeliveries, deliverQueues, type NewDelivery, purgeOldDeliveries } from './deliveries.ts'
import { traceDelivery } from './delivery-span.ts'
import { taskCallbackBody, testCallbackBody } from './payload.ts'
import { createReceivers } from './receivers.ts'

interface WebhookDeps extends Omit<DeliverDeps, 'receivers'> {
  pendingMax: number
  publicUrl(): string
  /** Null: off. */
  tracing: Tracing | null
  afterResponse: Pick<AfterResponse, 'delayMs'>
}

/**
 * Senders. A hanging receiver occupies only its own few senders, for 15 s each, so that others stay free. Later
 * attempts have separate senders, so that failing receivers never delay healthy ones. Bodies up to 64 kB need little
 * memory; the number of larger ones limits their memory to about 100 MB.
 */
const senders = slots.callbacks.of
/** Stands for any receiver without a history. */
const unknownReceiver = ''
const retryDelayMs = 1000

export function createWebhooks(deps: WebhookDeps) {
  const begin = (tx: Tx, deliveries: NewDelivery[]) => beginDeliveries(tx, deps.queue, deliveries, deps.clock.now())

  return {
    /** Stores the callbacks of ended tasks that have a callback URL. */
    async queueCallbacks(tx: Tx, tasks: TaskRow[]): Promise<void> {
      const deliveries: NewDelivery[] = []
      for (const task of tasks) {
        const url = task.callback_url
        if (url === null) continue
        const body =
          task.via === 'inference'
            ? (await endOfTask(tx, task, deps.publicUrl()))!
            : taskCallbackBody(task, deps.publicUrl())
        const { account_id: accountId, key_id: keyId, id: subject, via: kind, created_at: createdAt } = task
        const delayMs = deps.afterResponse.delayMs(tx, { subject, createdAt })
        deliveries.push({ accountId, keyId, subject, kind, url, body, delayMs })
      }
      await begin(tx, deliveries)
    },

    async onRequestEnded(tx: Tx, request: RequestRow): Promise<void> {
      if (request.callback_url === null) return
      const { account_id: accountId, key_id: keyId, id: subject, callback_url: url, created_at: createdAt } = request
      const delayMs = deps.afterResponse.delayMs(tx, { subject, createdAt })
      await begin(tx, [{ accountId, keyId, subject, kind: 'inference', url, body: requestPayload(request)!, delayMs }])
    },

    /** Delivered like every other callback: signed, retried and listed. */
    sendTest: ({ accountId, keyId }: { accountId: string; keyId: string }, url: string) =>
      deps.db.transaction(async (tx) => {
        const full = await accountsAtCap(tx, [accountId], deps.pendingMax)
        if (full.size > 0) throw slots.pendingDeliveries.refuse()
        const nowMs = deps.clock.now()
        const subject = newId(nowMs)
        const body = testCallbackBody(subject, nowMs)
        const [row] = await begin(tx, [{ accountId, keyId, subject, kind: 'task', url, body, isTest: true }])
        return row!
      }),

    callbacksFull: (tx: Tx, accountIds: string[]) => accountsAtCap(tx, accountIds, deps.pendingMax),

    work(): void {
      const receivers = createReceivers()
      const deliver = traceDelivery(deps, createDeliver({ ...deps, receivers }))
      for (const kind of ['first', 'later', 'large'] as const) {
        const { slots, ownerSlots, groupSlotsMax } = senders[kind]
        const of = (group: string) => Math.min(groupSlotsMax, receivers.share(group))
        const groupSlots = { of, ofOthers: of(unknownReceiver) }
        deps.queue.work(deliverQueues[kind], { slots, ownerSlots, groupSlots, retryDelayMs }, deliver)
      }
    },

    purge: (recordTtlMs: number, signal: AbortSignal) =>
      purgeOldDeliveries(deps.db, recordTtlMs, deps.clock.now(), signal),
  }
}
