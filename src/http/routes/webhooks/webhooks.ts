// GET /api/v1/webhooks/deliveries, POST …/deliveries/:id/resend, GET …/secret and POST …/secret/rotate
import type { Principal } from '../../../accounts/keys/authenticate.ts'
import { recordAct } from '../../../audit/audit.ts'
import { deliveryPage, listDeliveriesQuery, resentDelivery, signingSecret } from '../../../contract/deliveries.ts'
import type { Db } from '../../../db/db.ts'
import type { AddressPolicy } from '../../../outbound/address-rules.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Queue } from '../../../queue/queue.ts'
import type { SecretBox } from '../../../secrets/secret-box.ts'
import { listDeliveries, resendDelivery } from '../../../webhooks/deliveries.ts'
import { deliveryRecord } from '../../../webhooks/delivery-record.ts'
import { readSecret, rotateSecret } from '../../../webhooks/secrets.ts'
import { requestActor } from '../../connections/request-actor.ts'
import { type Route, route } from '../../route.ts'
import { cutPage } from '../../server/paging.ts'
import type { ResendLimit } from './resend-limit.ts'

export interface WebhookRouteDeps {
  db: Db
  queue: Queue
  clock: Clock
  secretBox: SecretBox
  addressPolicy: AddressPolicy
  resendLimit: ResendLimit
}

/** If callbacks may reach private addresses, showing responses would expose private services to clients. */
export function answersShown(policy: AddressPolicy, caller: Principal): boolean {
  const reachesOnlyPublic = !policy.loopback && !policy.private && policy.networks.length === 0
  return reachesOnlyPublic || caller.scopes.has('operator')
}

const webhooks = { tag: 'Webhooks', access: 'main-key', scope: 'webhooks' } as const

export function webhookRoutes(deps: WebhookRouteDeps): Route[] {
  return [
    route({
      endpoint: 'GET /api/v1/webhooks/deliveries',
      operationId: 'listDeliveries',
      summary: 'List callbacks and their attempts, newest first',
      description:
        'Callbacks of tasks and of inference requests, each with every attempt to deliver it. A search by `url` reads ' +
        '5000 callbacks per page: a page may be short, and `nextCursor` leads on until it is null.',
      ...webhooks,
      query: listDeliveriesQuery,
      answer: deliveryPage,
      async handler({ caller, query }) {
        const { limit, cursor: before, state, url: urlText } = query
        const filter = { accountId: caller.accountId, state, urlText, before, limit: limit + 1 }
        const { rows, searchedTo } = await listDeliveries(deps.db, filter)
        const page = cutPage(rows, limit)
        const shown = answersShown(deps.addressPolicy, caller)
        return {
          items: page.rows.map((row) => deliveryRecord(row, shown)),
          nextCursor: page.nextCursor ?? searchedTo,
        }
      },
    }),
    route({
      endpoint: 'POST /api/v1/webhooks/deliveries/:id/resend',
      operationId: 'resendDelivery',
      summary: 'Send a callback again',
      description:
        'Begins a new round of attempts with the same `webhook-id` and the same body. At most 60 per minute and account, and 25 per callback.',
      ...webhooks,
      answer: resentDelivery,
      codes: [404],
      async handler({ caller, params }) {
        deps.resendLimit.take(caller)
        const { id, state } = await resendDelivery(deps, params.id!, caller.accountId, deps.clock.now())
        return { id, state }
      },
    }),
    route({
      endpoint: 'GET /api/v1/webhooks/secret',
      operationId: 'getWebhookSecret',
      summary: 'Read the secret that signs the callbacks of main keys',
      description: 'Verify callbacks with it, according to Standard Webhooks. Each sub-key has its own secret.',
      ...webhooks,
      answer: signingSecret,
      handler: ({ caller }) =>
        readSecret(deps.db, { accountId: caller.accountId, keyId: null }, deps.clock.now(), deps.secretBox),
    }),
    route({
      endpoint: 'POST /api/v1/webhooks/secret/rotate',
      operationId: 'rotateWebhookSecret',
      summary: 'Replace the secret that signs the callbacks of main keys',
      description: 'For 24 hours callbacks are signed with both the new and the previous secret.',
      ...webhooks,
      answer: signingSecret,
      handler: ({ caller, request }) =>
        deps.db.transaction(async (tx) => {
          const nowMs = deps.clock.now()
          const rotated = await rotateSecret(tx, { accountId: caller.accountId, keyId: null }, nowMs, deps.secretBox)
          const after = { previousUntil: rotated.previousUntil }
          const act = { action: 'secret.rotate', target: caller.accountName, after } as const
          await recordAct(tx, requestActor(request), act, nowMs)
          return rotated
        }),
    }),
  ]
}
