// Callbacks as their account reads them: deliveries with their attempts, and the secret that signs.
import { z } from 'zod'
import { epochMs, httpUrl, optionalText } from '../schema/wire-types.ts'
import { lookupText, pageOf, pageQuery } from './page.ts'

export const deliveryStates = ['pending', 'delivered', 'failed'] as const

const state = z.enum(deliveryStates).meta({ id: 'DeliveryState' })

const attempt = {
  time: epochMs(),
  durationMs: z.int(),
  status: z.int().nullable().meta({ description: 'HTTP status; null when there was no response.' }),
  error: z.string().nullable(),
  answer: z
    .string()
    .nullable()
    .meta({
      description:
        'The first kilobyte of the response. Null where callbacks may reach private addresses, unless the key has the ' +
        'operator right.',
    }),
}

const fields = {
  id: z.string().meta({ description: 'Sent as `webhook-id`, the same for all attempts.' }),
  kind: z.enum(['task', 'inference', 'test']),
  taskId: z.string().meta({ description: 'The task or inference request that it reports; of a test event, no task.' }),
  url: z.string(),
  state,
  tries: z.int().meta({ description: 'Attempts of the current round; resending begins a new round.' }),
  nextTryTime: epochMs().nullable(),
  createTime: epochMs(),
  endTime: epochMs().nullable(),
}

export const delivery = z.object({ ...fields, attempts: z.array(z.object(attempt)) }).meta({ id: 'Delivery' })

const headers = z.record(z.string(), z.string()).nullable()

export const inspectedDelivery = z
  .object({
    ...fields,
    body: z.string().meta({ description: 'The payload, as it is sent.' }),
    attempts: z.array(
      z.object({
        ...attempt,
        requestHeaders: headers.meta({ description: 'The headers that were sent, including the signature.' }),
        responseHeaders: headers.meta({
          description:
            'The headers of the response, at most 4 kB; null without a response and wherever `answer` is null.',
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
  .meta({ id: 'ResendDeliveries' })

export const resentDeliveries = z.object({
  resent: z.int().meta({ description: `How many are sent again, at most ${resendMax}.` }),
  more: z.boolean().meta({ description: 'Whether others match; repeat the request for them.' }),
})

export const testEventBody = z.object({ url: httpUrl() }).meta({ id: 'TestEvent' })

export const listDeliveriesQuery = z.object({
  ...pageQuery,
  state: state.optional(),
  taskId: lookupText.optional(),
  url: lookupText.optional().meta({ description: 'A part of the URL; upper and lower case are the same.' }),
})
export const deliveryPage = pageOf(delivery)
export const resentDelivery = z.object({ id: z.string(), state })

export const signingSecret = z
  .object({
    secret: z.string().meta({ description: '`whsec_…`' }),
    previousUntil: epochMs().nullable().meta({ description: 'Until when the previous secret signs too.' }),
  })
  .meta({ id: 'SigningSecret' })

export const listenedDelivery = z
  .object({
    id: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  })
  .meta({ id: 'ListenedDelivery', description: 'A callback as an event of the stream: what its receiver gets.' })

export type DeliveryState = (typeof deliveryStates)[number]
export type Delivery = z.output<typeof delivery>
export type InspectedDelivery = z.output<typeof inspectedDelivery>
export type SigningSecret = z.output<typeof signingSecret>
export type ListenedDelivery = z.output<typeof listenedDelivery>
