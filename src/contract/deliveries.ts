// Callbacks as their account reads them: deliveries with their attempts, and the secret that signs.
import { z } from 'zod'
import { epochMs, httpUrl, optionalText } from '../schema/wire-types.ts'
import { example } from './example-values.ts'
import { lookupText, pageOf, pageQuery } from './page.ts'

export const deliveryStates = ['pending', 'delivered', 'failed'] as const

const state = z.enum(deliveryStates).meta({ id: 'DeliveryState' })

const attempt = {
  time: epochMs().meta({ examples: [example.endedMs] }),
  durationMs: z.int().meta({ examples: [70] }),
  status: z
    .int()
    .nullable()
    .meta({ description: 'HTTP status; null when there was no response.', examples: [204] }),
  error: z.string().nullable(),
  answer: z
    .string()
    .nullable()
    .meta({
      description:
        'The first kilobyte of the response. Null where callbacks may reach private addresses, unless the key has the ' +
        'operator right.',
      examples: [''],
    }),
}

const fields = {
  id: z
    .string()
    .meta({ description: 'Sent as `webhook-id`, the same for all attempts.', examples: [example.deliveryId] }),
  kind: z.enum(['task', 'inference', 'test']),
  taskId: z.string().meta({
    description: 'The task or inference request that it reports; of a test event, no task.',
    examples: [example.taskId],
  }),
  url: z.string().meta({ examples: [example.receiverUrl] }),
  state: state.meta({ examples: ['delivered'] }),
  tries: z.int().meta({ description: 'Attempts of the current round; resending begins a new round.', examples: [1] }),
  nextTryTime: epochMs().nullable(),
  createTime: epochMs().meta({ examples: [example.endedMs] }),
  endTime: epochMs()
    .nullable()
    .meta({ examples: [example.endedMs + 70] }),
}

export const delivery = z.object({ ...fields, attempts: z.array(z.object(attempt)) }).meta({ id: 'Delivery' })

const headers = z.record(z.string(), z.string()).nullable()

const exampleSent = {
  headers: { 'webhook-id': example.deliveryId, 'webhook-timestamp': '1767225621', 'webhook-signature': 'v1,K5oZ…' },
  body: '{"code":200,"msg":"success","data":{…}}',
}

export const inspectedDelivery = z
  .object({
    ...fields,
    body: z.string().meta({ description: 'The payload, as it is sent.', examples: [exampleSent.body] }),
    attempts: z.array(
      z.object({
        ...attempt,
        requestHeaders: headers.meta({
          description: 'The headers that were sent, including the signature.',
          examples: [exampleSent.headers],
        }),
        responseHeaders: headers.meta({
          description:
            'The headers of the response, at most 4 kB; null without a response and wherever `answer` is null.',
          examples: [{ 'content-length': '0' }],
        }),
      }),
    ),
  })
  .meta({ id: 'InspectedDelivery', description: 'A delivery with everything that was sent and received.' })

export const resendMax = 1000

export const resendBody = z
  .object({
    ids: z.array(lookupText).min(1).max(resendMax).nullish().meta({ description: 'These deliveries.' }),
    failedSince: epochMs().nullish().meta({ description: 'Or those that failed at this time or later.' }),
    url: optionalText(200).meta({ description: 'With `failedSince`: only those whose URL contains this text.' }),
  })
  .superRefine(({ ids, failedSince }, context) => {
    if ((ids == null) === (failedSince == null)) context.addIssue('must have either ids or failedSince')
  })
  .meta({
    id: 'ResendDeliveries',
    examples: [{ failedSince: example.createdMs }, { ids: [example.deliveryId, example.requestId] }],
  })

export const resentDeliveries = z.object({
  resent: z.int().meta({ description: `How many are sent again, at most ${resendMax}.`, examples: [12] }),
  more: z.boolean().meta({ description: 'Whether others match; repeat the request for them.', examples: [false] }),
})

export const testEventBody = z
  .object({ url: httpUrl().meta({ examples: [example.receiverUrl] }) })
  .meta({ id: 'TestEvent' })

export const listDeliveriesQuery = z.object({
  ...pageQuery,
  state: state.optional(),
  taskId: lookupText.optional(),
  url: lookupText.optional().meta({ description: 'A part of the URL; upper and lower case are the same.' }),
  id: lookupText.optional().meta({ description: 'The end of its id.' }),
})
export const deliveryPage = pageOf(delivery)
export const listAllDeliveriesQuery = listDeliveriesQuery.extend({
  account: lookupText.optional().meta({ description: 'Only callbacks of this account, by its name.' }),
})
export const resentDelivery = z.object({ id: fields.id, state })

const exampleSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

export const signingSecret = z
  .object({
    secret: z.string().meta({ description: '`whsec_…`', examples: [exampleSecret] }),
    previousUntil: epochMs().nullable().meta({ description: 'Until when the previous secret signs too.' }),
  })
  .meta({ id: 'SigningSecret' })

export const rotatedSecret = signingSecret.meta({
  examples: [{ secret: exampleSecret, previousUntil: example.nextDayMs }],
})

export const secretOwner = z
  .object({
    account: lookupText.optional().meta({ description: 'An account, by its name.' }),
    keyId: lookupText.optional().meta({ description: 'Or a key or sub-key, by its id.' }),
  })
  .refine(
    ({ account, keyId }) => (account === undefined) !== (keyId === undefined),
    'must have either account or keyId',
  )
  .meta({ examples: [{ account: 'studio' }, { keyId: example.keyId }] })

export const ownedSecret = signingSecret
  .extend({
    account: z.string(),
    keyId: z.string().nullable().meta({ description: 'Null: the secret of the account.' }),
  })
  .meta({
    id: 'OwnedSecret',
    examples: [{ account: 'studio', keyId: null, secret: exampleSecret, previousUntil: null }],
  })

export const listenedDelivery = z
  .object({
    id: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  })
  .meta({ id: 'ListenedDelivery', description: 'A callback as an event of the stream: what its receiver gets.' })

const exampleEvent = { id: example.deliveryId, url: example.receiverUrl, ...exampleSent }
export const deliveryEvents = z
  .string()
  .meta({ examples: [`event: delivery\ndata: ${JSON.stringify(exampleEvent)}\n\n`] })

export type DeliveryState = (typeof deliveryStates)[number]
export type Delivery = z.output<typeof delivery>
export type InspectedDelivery = z.output<typeof inspectedDelivery>
export type SigningSecret = z.output<typeof signingSecret>
export type ListenedDelivery = z.output<typeof listenedDelivery>
