// Callbacks, put together: what ends hands a delivery on, workers send it, upkeep removes what is old.
import type { Db, Tx } from '../db/db.ts'
import { endOfTask } from '../inference/end-of-task.ts'
import { requestPayload } from '../inference/payload.ts'
import type { RequestRow } from '../inference/requests.ts'
import type { GuardedFetch } from '../outbound/guarded-fetch.ts'
import type { Clock } from '../platform/clock.ts'
import type { Queue } from '../queue/queue.ts'
import type { TaskRow } from '../tasks/store/task-row.ts'
import { createDeliver, type DeliverDeps } from './deliver.ts'
import { accountsAtCap, beginDeliveries, deliverQueues, type NewDelivery, purgeOldDeliveries } from './deliveries.ts'
import { taskCallback } from './payload.ts'
import { createReceivers } from './receivers.ts'

export interface WebhookDeps {
  db: Db
  queue: Queue
  clock: Clock
  fetch: GuardedFetch
  delaysMs: readonly number[]
  tryMs?: number | undefined
  pendingMax: number
  publicUrl(): string
  onAttempt: DeliverDeps['onAttempt']
}

/**
 * Senders. A hanging receiver holds its own few for 15 s and no more of them, so that others find some free. Later tries
 * have senders of their own: the dead never wait in front of the living. Bodies up to 64 kB need little memory; larger
 * ones are bounded to some 100 MB by their number.
 */
const senders = {
  [deliverQueues.first]: { slots: 768, ownerSlots: 512, groupSlotsMax: 8 },
  [deliverQueues.later]: { slots: 512, ownerSlots: 256, groupSlotsMax: 2 },
  [deliverQueues.large]: { slots: 64, ownerSlots: 24, groupSlotsMax: 4 },
}
/** Nothing is known of a receiver before its first callback. */
const nobody = ''
const retryDelayMs = 1000

export function createWebhooks(deps: WebhookDeps) {
  const begin = (tx: Tx, deliveries: NewDelivery[]) => beginDeliveries(tx, deps.queue, deliveries, deps.clock.now())

  return {
    /** Stores the callbacks of tasks that have ended and ask for one. */
    async queueCallbacks(tx: Tx, tasks: TaskRow[]): Promise<void> {
      const deliveries: NewDelivery[] = []
      for (const task of tasks) {
        const url = task.call_back_url
        if (url === null) continue
        const body =
          task.via === 'inference'
            ? (await endOfTask(tx, task, deps.publicUrl()))!
            : taskCallback(task, deps.publicUrl())
        deliveries.push({ accountId: task.account_id, subject: task.id, kind: task.via, url, body })
      }
      await begin(tx, deliveries)
    },

    async onRequestEnded(tx: Tx, request: RequestRow): Promise<void> {
      if (request.webhook === null) return
      const { account_id: accountId, id: subject, webhook: url } = request
      await begin(tx, [{ accountId, subject, kind: 'inference', url, body: requestPayload(request)! }])
    },

    callbacksFull: (tx: Tx, accountIds: string[]) => accountsAtCap(tx, accountIds, deps.pendingMax),

    work(): void {
      const receivers = createReceivers()
      const deliver = createDeliver({ ...deps, receivers })
      for (const [queue, { slots, ownerSlots, groupSlotsMax }] of Object.entries(senders)) {
        const of = (group: string) => Math.min(groupSlotsMax, receivers.share(group))
        const groupSlots = { of, ofOthers: of(nobody) }
        deps.queue.work(queue, { slots, ownerSlots, groupSlots, retryDelayMs }, deliver)
      }
    },

    purge: (recordTtlMs: number, signal: AbortSignal) =>
      purgeOldDeliveries(deps.db, recordTtlMs, deps.clock.now(), signal),
  }
}
