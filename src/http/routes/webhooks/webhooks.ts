// GET /api/v1/webhooks/deliveries, POST …/deliveries/:id/resend, GET …/secret and POST …/secret/rotate
import { z } from 'zod'
import type { Db } from '../../../db/db.ts'
import type { AddressPolicy } from '../../../outbound/address-rules.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Queue } from '../../../queue/queue.ts'
import { listDeliveries, resendDelivery } from '../../../webhooks/deliveries.ts'
import { readSecret, rotateSecret } from '../../../webhooks/secrets.ts'
import { showDelivery } from '../../../webhooks/show.ts'
import { cutPage, pageOf, pageQuery, readPage } from '../../server/paging.ts'
import { type Route, route } from '../../server/route.ts'

export interface WebhookRouteDeps {
  db: Db
  queue: Queue
  clock: Clock
  addressPolicy: AddressPolicy
}

const state = z.enum(['pending', 'delivered', 'failed'])

const deliveryAnswer = z.object({
  id: z.string().meta({ description: 'Sent as `webhook-id`, the same over all tries.' }),
  kind: z.enum(['task', 'inference']),
  taskId: z.string().meta({ description: 'The task or inference request that it tells of.' }),
  url: z.string(),
  state,
  tries: z.int().meta({ description: 'Of the present round; sending again begins a new one.' }),
  nextTryTime: z.int().nullable(),
  createTime: z.int(),
  endTime: z.int().nullable(),
  attempts: z.array(
    z.object({
      time: z.int(),
      durationMs: z.int(),
      status: z.int().nullable(),
      error: z.string().nullable(),
      answer: z.string().nullable().meta({
        description: 'The first kilobyte of the answer; null where callbacks may reach private addresses.',
      }),
    }),
  ),
})

const secretAnswer = z.object({
  secret: z.string(),
  previousUntil: z.int().nullable().meta({ description: 'Until when the secret before this one signs too.' }),
})

/** Where callbacks reach more, an answer shown would be a way to read what only this machine can reach. */
function reachesOnlyPublic({ loopback, private: privateAllowed, networks }: AddressPolicy): boolean {
  return !loopback && !privateAllowed && networks.length === 0
}

export function webhookRoutes(deps: WebhookRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/webhooks/deliveries',
      summary: 'List callbacks and every try at them, newest first',
      tag: 'Webhooks',
      access: 'main-key',
      query: z.object({ ...pageQuery, state: state.optional() }),
      answer: pageOf(deliveryAnswer),
      async handler({ caller, query }) {
        const { limit, before } = readPage(query)
        const filter = { accountId: caller.accountId, state: query.state, before, limit: limit + 1 }
        const { rows, nextCursor } = cutPage(await listDeliveries(deps.db, filter), limit)
        const answersShown = reachesOnlyPublic(deps.addressPolicy)
        return { items: rows.map((row) => showDelivery(row, answersShown)), nextCursor }
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/webhooks/deliveries/:id/resend',
      summary: 'Send a callback again, with a new round of tries',
      tag: 'Webhooks',
      access: 'main-key',
      answer: z.object({ id: z.string(), state }),
      codes: [404],
      async handler({ caller, params }) {
        const { id, state } = await resendDelivery(deps, params.id!, caller.accountId, deps.clock.now())
        return { id, state }
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/webhooks/secret',
      summary: 'Read the secret that signs callbacks',
      tag: 'Webhooks',
      access: 'main-key',
      answer: secretAnswer,
      handler: ({ caller }) => readSecret(deps.db, caller.accountId, deps.clock.now()),
    }),
    route({
      method: 'POST',
      path: '/api/v1/webhooks/secret/rotate',
      summary: 'Replace the secret; for 24 hours callbacks are signed with both',
      tag: 'Webhooks',
      access: 'main-key',
      answer: secretAnswer,
      handler: ({ caller }) => deps.db.transaction((tx) => rotateSecret(tx, caller.accountId, deps.clock.now())),
    }),
  ]
}
