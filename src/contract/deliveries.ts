// Callbacks as their account reads them: deliveries with their attempts, and the secret that signs.
import { z } from 'zod'
import { epochMs } from '../schema/wire-types.ts'
import { pageOf, pageQuery } from './page.ts'

export const deliveryStates = ['pending', 'delivered', 'failed'] as const

const state = z.enum(deliveryStates).meta({ id: 'DeliveryState' })

export const delivery = z
  .object({
    id: z.string().meta({ description: 'Sent as `webhook-id`, the same for all attempts.' }),
    kind: z.enum(['task', 'inference']),
    taskId: z.string().meta({ description: 'The task or inference request that it reports.' }),
    url: z.string(),
    state,
    tries: z.int().meta({ description: 'Attempts of the present round; sending again begins a new round.' }),
    nextTryTime: epochMs().nullable(),
    createTime: epochMs(),
    endTime: epochMs().nullable(),
    attempts: z.array(
      z.object({
        time: epochMs(),
        durationMs: z.int(),
        status: z.int().nullable().meta({ description: 'HTTP status; null when there was no response.' }),
        error: z.string().nullable(),
        answer: z.string().nullable().meta({
          description: 'The first kilobyte of the response; null where callbacks may reach private addresses.',
        }),
      }),
    ),
  })
  .meta({ id: 'Delivery' })

export const listDeliveriesQuery = z.object({ ...pageQuery, state: state.optional() })
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
export type SigningSecret = z.output<typeof signingSecret>
export type ListenedDelivery = z.output<typeof listenedDelivery>
