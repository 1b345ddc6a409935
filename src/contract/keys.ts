// Sub-keys: their limits, how one is created, and what its parent reads about it.
import { z } from 'zod'
import { epochMs } from '../schema/wire-types.ts'

const limit = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

export const requestLimit = z
  .object({ requests: limit, per: z.enum(['hour', 'day', 'total']) })
  .meta({ id: 'RequestLimit', description: 'Requests per UTC hour, per UTC day, or in total.' })

export const newSubKey = z
  .object({
    name: z
      .string()
      .trim()
      .min(1, 'must not be empty')
      .max(100)
      .regex(/^\P{Cc}*$/u, 'must have no control characters'),
    creditLimit: limit.nullish(),
    requestLimit: requestLimit.nullish(),
  })
  .meta({ id: 'NewSubKey' })

export const shownKey = z
  .object({ id: z.string(), key: z.string().meta({ description: 'Shown this once.' }) })
  .meta({ id: 'ShownKey' })

export const subKey = z
  .object({
    id: z.string(),
    name: z.string(),
    hint: z.string().meta({ description: 'The first characters of the key.' }),
    creditLimit: z.int().nullable(),
    creditUsed: z.int(),
    requestLimit: requestLimit.nullable(),
    requestsUsed: z.int(),
    createdAt: epochMs(),
    expiresAt: epochMs().nullable(),
    revokedAt: epochMs().nullable(),
  })
  .meta({ id: 'SubKey' })

export const subKeyList = z.object({ items: z.array(subKey) })
export const keyId = z.object({ id: z.string() })

export type RequestLimit = z.output<typeof requestLimit>
export type SubKey = z.output<typeof subKey>
export type ShownKey = z.output<typeof shownKey>
