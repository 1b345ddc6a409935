// Accounts, credits and their use.
import { z } from 'zod'
import { epochMs, shownName } from '../schema/wire-types.ts'
import { example } from './example-values.ts'
import { longPageQuery, lookupText, pageOf, pageQuery, wholeNumberParam } from './page.ts'

export const account = z
  .object({
    id: z.string().meta({ examples: [example.keyId] }),
    name: z.string().meta({ examples: ['default'] }),
    balance: z.int().meta({ examples: [999_958] }),
    openTasks: z.int().meta({ examples: [0] }),
    createdAt: epochMs(),
  })
  .meta({ id: 'Account' })

export const credit = z.int().meta({ description: 'Credits.', examples: [999_958] })

const ledgerKinds = ['grant', 'hold', 'settle', 'release', 'charge'] as const

export const ledgerEntry = z
  .object({
    id: z.string().meta({ examples: ['0199a3c2-7b1e-7001-8f3a-5d2c1b0a9e8d'] }),
    kind: z.enum(ledgerKinds).meta({ examples: ['hold'] }),
    amount: z.int().meta({ description: 'The change of the balance; 0 with `settle`.', examples: [-42] }),
    cost: z
      .int()
      .nullable()
      .meta({ description: 'With `settle`, what the task cost in the end; null with all others.' }),
    balanceAfter: z.int().meta({ examples: [999_958] }),
    taskId: z
      .string()
      .nullable()
      .meta({ description: 'The task or inference request.', examples: [example.taskId] }),
    keyId: z
      .string()
      .nullable()
      .meta({ examples: [example.keyId] }),
    createTime: epochMs(),
  })
  .meta({ id: 'LedgerEntry' })

const sessionId = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c'

export const accountSession = z
  .object({
    id: z.string().meta({ examples: [sessionId] }),
    keyId: z
      .string()
      .meta({ description: 'The key that opened it: the calling one, or a sub-key.', examples: [example.keyId] }),
    createdAt: epochMs(),
    lastUsedAt: epochMs()
      .nullable()
      .meta({ description: 'Accurate to a minute.', examples: [example.createdMs] }),
    expiresAt: epochMs().meta({ examples: [example.nextDayMs] }),
    address: z
      .string()
      .optional()
      .meta({ description: 'The address from which it was opened.', examples: [example.address] }),
    userAgent: z
      .string()
      .optional()
      .meta({
        description: 'What the browser called itself.',
        examples: ['Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'],
      }),
    current: z.boolean().meta({ description: 'The request was made in this session.', examples: [true] }),
  })
  .meta({ id: 'AccountSession' })
export type AccountSession = z.infer<typeof accountSession>

export const accountSessionList = z.object({ items: z.array(accountSession) })
export const endedSession = z.object({ id: z.string().meta({ examples: [sessionId] }) })

export const listLedgerQuery = z.object({
  ...pageQuery,
  taskId: lookupText
    .optional()
    .meta({ description: 'A task or inference request: its id, or its last 8 or more characters.' }),
})
export const ledgerPage = pageOf(ledgerEntry)

const ofAccount = lookupText.optional().meta({ description: 'Only entries of this account, by its name.' })
export const listAllEntriesQuery = listLedgerQuery.extend({ limit: longPageQuery.shape.limit, account: ofAccount })
export const accountEntry = ledgerEntry
  .extend({ account: z.string().meta({ description: 'The name of the account.', examples: ['studio'] }) })
  .meta({ id: 'AccountLedgerEntry' })
export const accountEntryPage = pageOf(accountEntry)

const count = { tasks: z.int().meta({ examples: [1] }), credits: z.int().meta({ examples: [42] }) }

const usedKey = z.object({
  keyId: z.string().meta({ examples: [example.keyId] }),
  name: z.string().meta({ examples: ['one customer'] }),
  ...count,
})

/** Keys in the usage of an account. */
export const usageKeysMax = 1000

export const usage = z
  .object({
    days: z
      .array(z.object({ day: z.string().meta({ examples: ['2026-01-01'] }), ...count }))
      .meta({ description: 'UTC days, oldest first; days without tasks are left out.' }),
    states: z.array(z.object({ state: z.string().meta({ examples: ['success'] }), ...count })),
    outcomes: z
      .object({
        succeeded: z.int().meta({ examples: [1] }),
        failed: z.int().meta({ description: 'Generation failed, or the task waited too long.', examples: [0] }),
        canceled: z.int().meta({ examples: [0] }),
        refused: z.int().meta({
          description: 'An input file or the prompt was not acceptable: `failCode` 422 or 451.',
          examples: [0],
        }),
      })
      .meta({
        description: 'How the tasks ended; of `succeeded` and `failed`, the share of the first is the success rate.',
      }),
    models: z.array(z.object({ model: z.string().meta({ examples: [example.videoModel] }), ...count })),
    keys: z.array(usedKey).meta({
      description: `By the key that asked, revoked keys included; the ${usageKeysMax} that used the most, where there are more.`,
    }),
    times: z
      .array(
        z.object({
          state: z.enum(['wait', 'queueing', 'generating']).meta({ examples: ['generating'] }),
          p50Ms: z.int().meta({ examples: [21_150] }),
          p95Ms: z.int().meta({ examples: [24_800] }),
        }),
      )
      .meta({
        description: 'How long the latest successful tasks, at most 1000, were in each state; empty without any.',
      }),
  })
  .meta({ id: 'Usage' })

const usageDaysMax = 90
export const usageQuery = z.object({
  days: wholeNumberParam(1, usageDaysMax)
    .default(30)
    .meta({ description: `1 to ${usageDaysMax}, today included.` }),
})

export const newAccount = z
  .object({
    name: shownName(),
    credits: z.int().min(0).max(1e12).nullish().meta({ description: 'Credits to begin with; none if omitted.' }),
  })
  .meta({ id: 'NewAccount', examples: [{ name: 'studio', credits: 5000 }] })

export const madeAccount = z
  .object({
    id: z.string().meta({ examples: [example.requestId] }),
    name: z.string().meta({ examples: ['studio'] }),
    balance: z.int().meta({ examples: [5000] }),
    keyId: z.string().meta({ examples: [example.keyId] }),
    key: z.string().meta({ description: 'The first key of the account. Shown only once.', examples: [example.key] }),
  })
  .meta({ id: 'MadeAccount' })

const credits = z
  .int()
  .min(-1e12)
  .max(1e12)
  .refine((amount) => amount !== 0, 'must not be 0')
export const grantBody = z
  .object({ credits: credits.meta({ description: 'A negative number withdraws credits.' }) })
  .meta({ examples: [{ credits: 1000 }, { credits: -200 }] })
export const granted = account.pick({ name: true, balance: true })

export type Account = z.output<typeof account>
export type LedgerEntry = z.output<typeof ledgerEntry>
export type Usage = z.output<typeof usage>
