// GET /api/v1/account/credit, /ledger and /usage
import { z } from 'zod'
import { balanceOf } from '../../../accounts/accounts.ts'
import { listEntries } from '../../../accounts/ledger.ts'
import { readUsage } from '../../../accounts/usage.ts'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { cutPage, pageOf, pageQuery, readPage, wholeNumberText } from '../../server/paging.ts'
import { type Route, route } from '../../server/route.ts'
import { lookupText } from '../tasks/records.ts'

type Deps = { db: Db; clock: Clock }

export function creditRoute(deps: Deps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/account/credit',
    summary: 'Read the balance in credits',
    tag: 'Account',
    access: 'key',
    answer: z.int(),
    handler: ({ caller }) => balanceOf(deps.db, caller.accountId),
  })
}

export function ledgerRoute(deps: Deps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/account/ledger',
    summary: 'List ledger entries, newest first',
    tag: 'Account',
    access: 'main-key',
    query: z.object({ ...pageQuery, taskId: lookupText.optional() }),
    answer: pageOf(
      z.object({
        id: z.string(),
        kind: z.enum(['grant', 'hold', 'settle', 'release', 'charge']),
        amount: z.int(),
        balanceAfter: z.int(),
        taskId: z.string().nullable(),
        keyId: z.string().nullable(),
        createTime: z.int(),
      }),
    ),
    async handler({ caller, query }) {
      const { limit, before } = readPage(query)
      const found = await listEntries(deps.db, {
        accountId: caller.accountId,
        limit: limit + 1,
        ...(before === undefined ? {} : { before }),
        ...(query.taskId === undefined ? {} : { taskId: query.taskId }),
      })
      const { rows, nextCursor } = cutPage(found, limit)
      const items = rows.map((entry) => ({
        id: entry.id,
        kind: entry.kind,
        amount: entry.amount,
        balanceAfter: entry.balance_after,
        taskId: entry.task_id,
        keyId: entry.key_id,
        createTime: entry.created_at,
      }))
      return { items, nextCursor }
    },
  })
}

const daysMax = 90

export function usageRoute(deps: Deps): Route {
  const count = z.object({ tasks: z.int(), credits: z.int() })
  return route({
    method: 'GET',
    path: '/api/v1/account/usage',
    summary: 'Tasks and credits by day, state and model',
    tag: 'Account',
    access: 'key',
    query: z.object({ days: wholeNumberText(1, daysMax).optional().meta({ default: '30' }) }),
    answer: z.object({
      days: z.array(count.extend({ day: z.string() })),
      states: z.array(count.extend({ state: z.string() })),
      models: z.array(count.extend({ model: z.string() })),
    }),
    handler: ({ caller, query }) => readUsage(deps.db, caller, Number(query.days ?? 30), deps.clock.now()),
  })
}
