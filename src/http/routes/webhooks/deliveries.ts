// /api/v1/webhooks/deliveries and …/test: reading callbacks, sending them again, and testing a receiver.
import type { z } from 'zod'
import type { Principal } from '../../../accounts/keys/authenticate.ts'
import {
  deliveryPage,
  inspectedDelivery,
  listDeliveriesQuery,
  resendBody,
  resendMax,
  resentDeliveries,
  resentDelivery,
  testEventBody,
} from '../../../contract/deliveries.ts'
import type { Db } from '../../../db/db.ts'
import { scannedMax } from '../../../db/where-clause.ts'
import { windows } from '../../../limits/table.ts'
import type { AddressPolicy } from '../../../outbound/address-rules.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Queue } from '../../../queue/queue.ts'
import type { DeliveryRow } from '../../../webhooks/deliveries.ts'
import { deliveryRecord, inspectedDeliveryRecord } from '../../../webhooks/delivery-record.ts'
import { listDeliveries, readDelivery } from '../../../webhooks/read-deliveries.ts'
import { resendDelivery, resendMany } from '../../../webhooks/resend.ts'
import { type Route, route } from '../../route.ts'
import { boundedPage, cutPage } from '../../server/paging.ts'

export interface DeliveryRouteDeps {
  db: Db
  queue: Queue
  clock: Clock
  addressPolicy: AddressPolicy
  /** Rejects where the account has sent too much. */
  countResend(accountId: string): Promise<void>
  sendTest(caller: { accountId: string; keyId: string }, url: string): Promise<DeliveryRow>
}

/** If callbacks may reach private addresses, showing responses would expose private services to clients. */
function showsResponses(policy: AddressPolicy, caller: Principal): boolean {
  const reachesOnlyPublic = !policy.loopback && !policy.private && policy.networks.length === 0
  return reachesOnlyPublic || caller.scopes.has('operator')
}

/** Of an account, or of all. */
export async function pageOfDeliveries(
  db: Db,
  accountId: string | undefined,
  query: z.output<typeof listDeliveriesQuery>,
  showAnswers: boolean,
) {
  const { limit, cursor: before, state, taskId: subject, url: urlText, id: idEnd } = query
  const filter = { accountId, state, subject, urlText, idEnd, before, limit: limit + 1 }
  const { rows, scannedTo } = await listDeliveries(db, filter)
  const page = cutPage(rows, limit)
  const items = page.rows.map((row) => deliveryRecord(row, showAnswers))
  return boundedPage(items, ({ id }) => id, page.nextCursor ?? scannedTo)
}

const webhooks = { tag: 'Webhooks', access: 'main-key', scope: 'webhooks' } as const

export function deliveryRoutes(deps: DeliveryRouteDeps): Route[] {
  return [
    route({
      endpoint: 'GET /api/v1/webhooks/deliveries',
      operationId: 'listDeliveries',
      summary: 'List callbacks and their attempts, newest first',
      description:
        'Callbacks of tasks and of inference requests, each with every attempt to deliver it. A page is at most 1 MiB, ' +
        `and with \`state\`, \`url\` or \`id\` it reads at most ${scannedMax} callbacks: it may be short, and \`nextCursor\` leads on until ` +
        'it is null.',
      ...webhooks,
      query: listDeliveriesQuery,
      answer: deliveryPage,
      async handler({ caller, query }) {
        return pageOfDeliveries(deps.db, caller.accountId, query, showsResponses(deps.addressPolicy, caller))
      },
    }),
    route({
      endpoint: 'POST /api/v1/webhooks/deliveries/:id/resend',
      operationId: 'resendDelivery',
      summary: 'Send a callback again',
      description: `Begins a new round of attempts with the same \`webhook-id\` and the same body. At most ${windows.resends.of.requests} per minute and account, and ${windows.resendsOfOne.of} per callback.`,
      ...webhooks,
      answer: resentDelivery,
      async handler({ caller, params }) {
        await deps.countResend(caller.accountId)
        const { id, state } = await resendDelivery(deps, params.id!, caller.accountId, deps.clock.now())
        return { id, state }
      },
    }),
    route({
      endpoint: 'GET /api/v1/webhooks/deliveries/:id',
      operationId: 'getDelivery',
      summary: 'Read one callback with its payload and the headers of every attempt',
      description: 'The first kilobyte of each response is kept for as long as the delivery.',
      ...webhooks,
      answer: inspectedDelivery,
      async handler({ caller, params }) {
        const delivery = await readDelivery(deps.db, params.id!, caller.accountId)
        return inspectedDeliveryRecord(delivery, showsResponses(deps.addressPolicy, caller))
      },
    }),
    route({
      endpoint: 'POST /api/v1/webhooks/deliveries/resend',
      operationId: 'resendDeliveries',
      summary: 'Send many callbacks again',
      description: `Resends the callbacks with these ids, or all that failed since a time; at most ${resendMax} at once. Each begins a new round of attempts. One that was resent ${windows.resendsOfOne.of} times is left out.`,
      ...webhooks,
      body: resendBody,
      answer: resentDeliveries,
      async handler({ caller, body }) {
        await deps.countResend(caller.accountId)
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
        await deps.countResend(caller.accountId)
        const { id, state } = await deps.sendTest(caller, body.url)
        return { id, state }
      },
    }),
  ]
}
