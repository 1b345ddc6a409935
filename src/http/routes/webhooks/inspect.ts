// GET /api/v1/webhooks/deliveries/:id, POST …/deliveries/resend and POST …/webhooks/test: looking closely at callbacks,
// sending many again, and trying a receiver.
import {
  inspectedDelivery,
  resendBody,
  resendMax,
  resentDeliveries,
  resentDelivery,
  testEventBody,
} from '../../../contract/deliveries.ts'
import { type DeliveryRow, readDelivery } from '../../../webhooks/deliveries.ts'
import { inspectedDelivery as inspected } from '../../../webhooks/delivery-record.ts'
import { resendMany } from '../../../webhooks/resend-many.ts'
import { type Route, route } from '../../route.ts'
import { answersShown, type WebhookRouteDeps } from './webhooks.ts'

export interface InspectDeps extends WebhookRouteDeps {
  sendTest(caller: { accountId: string; keyId: string }, url: string): Promise<DeliveryRow>
}

const webhooks = { tag: 'Webhooks', access: 'main-key', scope: 'webhooks' } as const

export function inspectRoutes(deps: InspectDeps): Route[] {
  return [
    route({
      endpoint: 'GET /api/v1/webhooks/deliveries/:id',
      operationId: 'getDelivery',
      summary: 'Read one callback with its payload and the headers of every attempt',
      description: 'The first kilobyte of each response is kept for as long as the delivery.',
      ...webhooks,
      answer: inspectedDelivery,
      codes: [404],
      async handler({ caller, params }) {
        const delivery = await readDelivery(deps.db, params.id!, caller.accountId)
        return inspected(delivery, answersShown(deps.addressPolicy, caller))
      },
    }),
    route({
      endpoint: 'POST /api/v1/webhooks/deliveries/resend',
      operationId: 'resendDeliveries',
      summary: 'Send many callbacks again',
      description: `Resends the callbacks with these ids, or all that failed since a time; at most ${resendMax} at once. Each begins a new round of attempts. One that was resent 25 times is left out.`,
      ...webhooks,
      body: resendBody,
      answer: resentDeliveries,
      async handler({ caller, body }) {
        deps.resendLimit.take(caller)
        const { ids, failedSince: failedSinceMs, url: urlText } = body
        const wanted = { accountId: caller.accountId, ids, failedSinceMs, urlText, max: resendMax }
        return deps.db.transaction((tx) => resendMany(tx, deps.queue, wanted, deps.clock.now()))
      },
    }),
    route({
      endpoint: 'POST /api/v1/webhooks/test',
      operationId: 'sendTestEvent',
      summary: 'Send a test event to a URL',
      description:
        'A signed callback with made-up values of a successful task, delivered, retried and listed like every other.',
      ...webhooks,
      body: testEventBody,
      answer: resentDelivery,
      async handler({ caller, body }) {
        deps.resendLimit.take(caller)
        const { id, state } = await deps.sendTest(caller, body.url)
        return { id, state }
      },
    }),
  ]
}
