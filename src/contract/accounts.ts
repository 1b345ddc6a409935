// Accounts, credits and their use.
import { z } from 'zod'
import { epochMs, shownName } from '../schema/wire-types.ts'
import { lookupText, pageOf, pageQuery, wholeNumberParam } from './page.ts'

export const account = z
  .object({ id: z.string(), name: z.string(), balance: z.int(), openTasks: z.int(), createdAt: epochMs() })
  .meta({ id: 'Account' })

export const credit = z.int().meta({ description: 'Credits.' })

const ledgerKinds = ['grant', 'hold', 'settle', 'release', 'charge'] as const

export const ledgerEntry = z
  .object({
    id: z.string(),
    kind: z.enum(ledgerKinds),
    amount: z.int().meta({ description: 'The change of the balance; 0 with `settle`.' }),
    cost: z
      .int()
      .nullable()
      .meta({ description: 'With `settle`, what the task cost in the end; null with all others.' }),
    balanceAfter: z.int(),
    taskId: z.string().nullable().meta({ description: 'The task or inference request.' }),
    keyId: z.string().nullable(),
    createTime: epochMs(),
  })
  .meta({ id: 'LedgerEntry' })

export const accountSession = z
  .object({
    id: z.string(),
    keyId: z.string().meta({ description: 'The key that opened it: the calling one, or a sub-key.' }),
    createdAt: epochMs(),
    lastUsedAt: epochMs().nullable().meta({ description: 'Accurate to a minute.' }),
    expiresAt: epochMs(),
    address: z.string().optional().meta({ description: 'The address from which it was opened.' }),
    userAgent: z.string().optional().meta({ description: 'What the browser called itself.' }),
    current: z.boolean().meta({ description: 'The request was made in this session.' }),
  })
  .meta({ id: 'AccountSession' })
export type AccountSession = z.infer<typeof accountSession>

export const accountSessionList = z.object({ items: z.array(accountSession) })
export const endedSession = z.object({ id: z.string() })

export const listLedgerQuery = z.object({
  ...pageQuery,
  taskId: lookupText
    .optional()
    .meta({ description: 'A task or inference request: its id, or its last 8 or more characters.' }),
})
export const ledgerPage = pageOf(ledgerEntry)

const count = { tasks: z.int(), credits: z.int() }

/** Keys in the usage of an account. */
export const usageKeysMax = 1000

export const usage = z
  .object({
    days: z
      .array(z.object({ day: z.string(), ...count }))
      .meta({ description: 'UTC days, oldest first; days without tasks are left out.' }),
    states: z.array(z.object({ state: z.string(), ...count })),
    outcomes: z
      .object({
        succeeded: z.int(),
        failed: z.int().meta({ description: 'Generation failed, or the task waited too long.' }),
        canceled: z.int(),
        refused: z
          .int()
          .meta({ description: 'An input file or the prompt was not acceptable: `failCode` 422 or 451.' }),
      })
      .meta({
        description: 'How the tasks ended; of `succeeded` and `failed`, the share of the first is the success rate.',
      }),
    models: z.array(z.object({ model: z.string(), ...count })),
    keys: z.array(z.object({ keyId: z.string(), name: z.string(), ...count })).meta({
      description: `By the key that asked, revoked keys included; the ${usageKeysMax} that used the most, where there are more.`,
    }),
    times: z
      .array(z.object({ state: z.enum(['wait', 'queueing', 'generating']), p50Ms: z.int(), p95Ms: z.int() }))
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
  .meta({ id: 'NewAccount' })

export const madeAccount = z
  .object({
    id: z.string(),
    name: z.string(),
    balance: z.int(),
    keyId: z.string(),
    key: z.string().meta({ description: 'The first key of the account. Shown only once.' }),
  })
  .meta({ id: 'MadeAccount' })

export const grantBody = z.object({ credits: z.int().min(1).max(1e12) })
export const granted = z.object({ name: z.string(), balance: z.int() })

export type Account = z.output<typeof account>
export type LedgerEntry = z.output<typeof ledgerEntry>
export type Usage = z.output<typeof usage>
