// GET /api/v1/webhooks/listen: the account's callbacks as Server-Sent Events while they happen, signed like the real
// ones, for a developer's machine that no callback could reach. What is sent to the callbacks' own URLs is unaffected.
import { deliveryEvents, type ListenedDelivery } from '../../../contract/deliveries.ts'
import type { Db } from '../../../db/db.ts'
import { createSlots } from '../../../limits/slots.ts'
import { slots } from '../../../limits/table.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logger.ts'
import { createWake } from '../../../platform/loops/wake.ts'
import type { SecretBox } from '../../../secrets/secret-box.ts'
import type { DeliveryRow } from '../../../webhooks/deliveries.ts'
import { deliveriesBetween } from '../../../webhooks/read-deliveries.ts'
import { type SecretColumns, selectSendable, signedHeaders, signingSecrets } from '../../../webhooks/secrets.ts'
import { answered, type Route, route } from '../../route.ts'
import { type EventStream, openEventStream, whenClosed } from '../../server/responses/open-responses.ts'

export interface ListenDeps {
  db: Db
  clock: Clock
  log: Logger
  secretBox: SecretBox
  stopping: AbortSignal
}

/** Polled this often besides wake-ups, in case another process ended a task. */
const lookEveryMs = 1000
/** Clocks and transactions of processes differ: rounds that began this long ago are read again. */
const lookBackMs = 5_000
const batchMax = 100

export function webhookListenRoute(deps: ListenDeps): Route {
  const streams = createSlots(slots.callbackStreams.of)
  return route({
    endpoint: 'GET /api/v1/webhooks/listen',
    operationId: 'listenToWebhooks',
    summary: 'Follow callbacks by Server-Sent Events',
    description:
      'Events `delivery` from the moment of connecting; the data of each is a ListenedDelivery, whose `headers` and `body` are what the receiver gets.',
    tag: 'Webhooks',
    access: 'main-key',
    scope: 'webhooks',
    streams: true,
    contentType: 'text/event-stream',
    answer: deliveryEvents,
    async handler({ caller, reply }) {
      const leave = streams.tryEnter({ account: caller.accountId, key: caller.keyId })
      if (!leave) throw slots.callbackStreams.refuse()
      whenClosed(reply.raw, leave)
      const stream = openEventStream(reply, deps.stopping)
      stream.comment('listening')
      listen(deps, caller.accountId, stream)
        .catch((error) => deps.log.error({ err: error }, 'a stream of callbacks failed'))
        .finally(stream.end)
      return answered
    },
  })
}

async function listen(deps: ListenDeps, accountId: string, { over, send }: EventStream): Promise<void> {
  const wake = createWake()
  over.addEventListener('abort', wake.now)
  const stopListening = deps.db.onChange((topic) => topic !== 'tasks' && wake.now())
  const startedMs = deps.clock.now()
  /** Rounds that began before this were read, except those that were stored late. */
  let readToMs = startedMs
  // Rounds that were sent, by the time they began; forgotten when rounds of that age are no longer read.
  const sent = new Map<string, number>()
  try {
    while (!over.aborted) {
      const sinceMs = Math.max(startedMs - 1, readToMs - lookBackMs)
      for (const [round, atMs] of sent) if (atMs < sinceMs) sent.delete(round)
      const max = batchMax + sent.size
      const nowMs = deps.clock.now()
      const rows = await deliveriesBetween(deps.db, accountId, { sinceMs, untilMs: nowMs, limit: max })
      const isCut = rows.length === max
      readToMs = isCut ? rows.at(-1)!.round_at : nowMs
      for (const row of rows) {
        const round = `${row.id} ${row.round_at}`
        if (sent.has(round) || over.aborted) continue
        sent.set(round, row.round_at)
        const delivery = await signedDelivery(deps, row)
        if (delivery) await send('delivery', delivery)
      }
      if (!isCut) await wake.next(lookEveryMs)
    }
  } finally {
    stopListening()
  }
}

/** Null if it was deleted after it was read. */
async function signedDelivery(deps: ListenDeps, delivery: DeliveryRow): Promise<ListenedDelivery | null> {
  const nowMs = deps.clock.now()
  const sendable = await deps.db.one<SecretColumns>(selectSendable(deps.db), [JSON.stringify([delivery.id])])
  if (!sendable) return null
  const headers = signedHeaders(delivery.id, delivery.body, signingSecrets(sendable, nowMs, deps.secretBox), nowMs)
  return { id: delivery.id, url: delivery.callback_url, headers: { ...headers }, body: delivery.body }
}
