// GET /api/v1/account/credit, /ledger and /usage
import type { z } from 'zod'
import { readUsage } from '../../../account-data/usage.ts'
import { creditsFor } from '../../../accounts/accounts.ts'
import { listEntries, type ShownEntry } from '../../../accounts/ledger-entries.ts'
import { credit, ledgerPage, listLedgerQuery, usage, usageQuery } from '../../../contract/accounts.ts'
import type { Db } from '../../../db/db.ts'
import { scannedMax } from '../../../db/where-clause.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type Route, route } from '../../route.ts'
import { cutPage } from '../../server/paging.ts'

type Deps = { db: Db; clock: Clock }

const tag = 'Account'

export function creditRoute({ db }: Pick<Deps, 'db'>): Route {
  return route({
    endpoint: 'GET /api/v1/account/credit',
    operationId: 'getCredit',
    summary: 'Read the balance in credits; of a sub-key, what it may still spend',
    description: 'Credits that unfinished tasks hold are already deducted.',
    tag,
    access: 'key',
    scope: 'any',
    answer: credit,
    handler: ({ caller }) => creditsFor(db, caller),
  })
}

export function ledgerRoute({ db }: Pick<Deps, 'db'>): Route {
  return route({
    endpoint: 'GET /api/v1/account/ledger',
    operationId: 'listLedger',
    summary: 'List ledger entries, newest first',
    description:
      'The balance is the sum of all entries. A task holds its price (`hold`), which is settled by success ' +
      '(`settle`, 0, with the price in `cost`) or released by failure (`release`); inference is charged when it succeeds (`charge`). ' +
      `With the end of an id, a page reads at most ${scannedMax} entries: it may be short, and \`nextCursor\` leads on until it is null.`,
    tag,
    access: 'main-key',
    scope: 'tasks:read',
    query: listLedgerQuery,
    answer: ledgerPage,
    async handler({ caller, query: { limit, cursor, taskId } }) {
      const { entries, nextCursor } = await pageOfEntries(db, caller.accountId, { limit, cursor, taskId })
      return { items: entries.map(entryRecord), nextCursor }
    },
  })
}

/** Of an account, or of all. */
export async function pageOfEntries(
  db: Db,
  accountId: string | undefined,
  { limit, cursor, taskId }: z.output<typeof listLedgerQuery>,
) {
  const found = await listEntries(db, { accountId, taskId, before: cursor, limit: limit + 1 })
  const { rows: entries, nextCursor } = cutPage(found.rows, limit)
  return { entries, nextCursor: nextCursor ?? found.scannedTo }
}

export const entryRecord = (entry: ShownEntry) => ({
  id: entry.id,
  kind: entry.kind,
  amount: entry.amount,
  cost: entry.cost,
  balanceAfter: entry.balance_after,
  taskId: entry.subject,
  keyId: entry.key_id,
  createTime: entry.created_at,
})

export function usageRoute({ db, clock }: Deps): Route {
  return route({
    endpoint: 'GET /api/v1/account/usage',
    operationId: 'getUsage',
    summary: 'Tasks and credits by day, state and model',
    description: 'Of the whole account, or of the sub-key that asks. Failed tasks cost nothing.',
    tag,
    access: 'key',
    scope: 'tasks:read',
    sharesLoop: true,
    query: usageQuery,
    answer: usage,
    handler: ({ caller, query }) => readUsage(db, caller, query.days, clock.now()),
  })
}
