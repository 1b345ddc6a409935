// Sub-keys: their limits and rights, how one is created and changed, and what its parent reads about it.
import { z } from 'zod'
import { parseDuration, parseRate } from '../platform/durations.ts'
import { parseNetwork } from '../platform/networks.ts'
import { epochMs, list, shownName } from '../schema/wire-types.ts'
import { example } from './example-values.ts'
import { lookupText, pageOf } from './page.ts'

/** What a key may be allowed to do. */
export const keyScopes = ['tasks:read', 'tasks:write', 'files:write', 'webhooks', 'keys', 'operator'] as const
export type KeyScope = (typeof keyScopes)[number]

const exampleLimit = { requests: 100, per: 'day' }

const limit = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

export const requestLimit = z.object({ requests: limit, per: z.enum(['hour', 'day', 'total']) }).meta({
  id: 'RequestLimit',
  description: 'Requests per UTC hour, per UTC day, or in total.',
  examples: [exampleLimit],
})

const scopes = list(z.enum(keyScopes), 1, keyScopes.length, 'scopes').meta({
  description: 'What the key may do. Without it, everything that a key of its kind may do.',
})

const addresses = list(
  z.string().refine((text) => parseNetwork(text) !== null, {
    error: 'must be an address or a network such as 203.0.113.0/24',
  }),
  1,
  20,
  'networks',
).meta({ description: 'The addresses from which the key may be used, as addresses or CIDR networks.' })

const rate = z
  .string()
  .refine((text) => parseRate(text) !== null, { error: 'must be requests/duration such as 5/10s' })
  .meta({ description: 'Requests per duration, such as `5/10s`.' })

const limitsAndRights = {
  creditLimit: limit.nullish(),
  requestLimit: requestLimit.nullish(),
  rate: rate.nullish(),
  scopes: scopes.nullish(),
  addresses: addresses.nullish(),
  expiresAt: epochMs().nullish(),
}

export const newSubKey = z.object({ name: shownName(), ...limitsAndRights }).meta({
  id: 'NewSubKey',
  examples: [
    { name: 'one customer', creditLimit: 500, requestLimit: exampleLimit },
    { name: 'dashboard', scopes: ['tasks:read'], addresses: ['203.0.113.0/24'] },
  ],
})

export const keyChanges = z.object({ name: shownName().optional(), ...limitsAndRights }).meta({
  id: 'KeyChanges',
  description: 'A field that is left out stays as it is; `null` removes a limit.',
  examples: [{ creditLimit: 500 }, { expiresAt: null }],
})

const overlapMaxMs = 7 * 86_400_000

export const keyRotation = z
  .object({
    overlap: z
      .string()
      .refine((text) => (parseDuration(text) ?? Number.POSITIVE_INFINITY) <= overlapMaxMs, {
        error: 'must be a duration such as 24h, at most 7d',
      })
      .meta({ description: 'How long the old secret still works, such as `24h`; at most `7d`.' })
      .nullish(),
  })
  .nullish()
  .meta({ id: 'KeyRotation', examples: [{ overlap: '24h' }] })

export const shownKey = z
  .object({
    id: z.string().meta({ examples: [example.keyId] }),
    key: z.string().meta({ description: 'Shown only once.', examples: [example.key] }),
  })
  .meta({ id: 'ShownKey' })

export const subKey = z
  .object({
    id: z.string().meta({ examples: [example.keyId] }),
    name: z.string().meta({ examples: ['one customer'] }),
    hint: z.string().meta({ description: 'The first characters of the key.', examples: ['dk_7Hq2…'] }),
    creditLimit: z
      .int()
      .nullable()
      .meta({ examples: [500] }),
    creditUsed: z.int().meta({ examples: [42] }),
    requestLimit: requestLimit.nullable().meta({ examples: [exampleLimit] }),
    requestsUsed: z.int().meta({ examples: [7] }),
    rate: z.string().nullable(),
    scopes: z
      .array(z.enum(keyScopes))
      .nullable()
      .meta({ description: 'Null: everything that its kind may do.', examples: [['tasks:read', 'tasks:write']] }),
    addresses: z.array(z.string()).nullable().meta({ description: 'Null: every address.' }),
    createdAt: epochMs(),
    expiresAt: epochMs().nullable(),
    lastUsedAt: epochMs()
      .nullable()
      .meta({ description: 'Epoch milliseconds, accurate to a minute.', examples: [example.createdMs] }),
    revokedAt: epochMs().nullable(),
  })
  .meta({ id: 'SubKey' })

export const accountKey = subKey
  .extend({
    parentId: z.string().nullable().meta({ description: 'Null: a main key.' }),
    operator: z.boolean().meta({ description: 'Whether it has the operator right.', examples: [false] }),
  })
  .meta({ id: 'AccountKey' })

export const listedKey = accountKey
  .extend({ account: z.string().meta({ description: 'The name of its account.', examples: ['studio'] }) })
  .meta({ id: 'ListedKey' })

const accountName = lookupText.nullish().meta({ description: 'The name of an account.' })

export const newKey = z
  .object({
    account: accountName,
    parentId: lookupText.nullish().meta({ description: 'Makes a sub-key of this key instead of a key of `account`.' }),
    operator: z.boolean().nullish().meta({ description: 'With the operator right; not for sub-keys.' }),
    name: shownName(),
    ...limitsAndRights,
  })
  .superRefine(({ account, parentId, operator }, context) => {
    if ((account == null) === (parentId == null)) context.addIssue('must have either account or parentId')
    if (parentId != null && operator) context.addIssue('must not have operator with parentId')
  })
  .meta({
    id: 'NewKey',
    examples: [
      { account: 'studio', name: 'backend' },
      { parentId: example.keyId, name: 'one customer', creditLimit: 500 },
    ],
  })

export const subKeyPage = pageOf(subKey)
export const accountKeyPage = pageOf(accountKey)
export const listedKeyPage = pageOf(listedKey)
export const keyId = z.object({ id: z.string().meta({ examples: [example.keyId] }) })
export const revokedKey = keyId.extend({
  subKeys: z.int().meta({ description: 'How many sub-keys were revoked with it.', examples: [2] }),
})

export type RequestLimit = z.output<typeof requestLimit>
export type AccountKey = z.output<typeof accountKey>
export type ListedKey = z.output<typeof listedKey>
export type SubKey = z.output<typeof subKey>
export type ShownKey = z.output<typeof shownKey>
