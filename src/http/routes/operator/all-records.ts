// /api/v1/operator/ledger and …/webhooks/deliveries: what every account has of them, for operators.
import { namesOfAccounts } from '../../../accounts/accounts.ts'
import { accountEntryPage, listAllEntriesQuery } from '../../../contract/accounts.ts'
import { deliveryPage, listAllDeliveriesQuery, resentDelivery } from '../../../contract/deliveries.ts'
import type { Db, Sql } from '../../../db/db.ts'
import { scannedMax } from '../../../db/where-clause.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Queue } from '../../../queue/queue.ts'
import { resendDelivery } from '../../../webhooks/resend.ts'
import { type Route, route } from '../../route.ts'
import { entryRecord, pageOfEntries } from '../account/account.ts'
import { pageOfDeliveries } from '../webhooks/deliveries.ts'
import { needAccount } from './accounts.ts'
import { operator } from './operator.ts'

const pages = `A page reads at most ${scannedMax} rows: it may be short, and \`nextCursor\` leads on until it is null.`

export function allRecordRoutes({ db, clock, queue }: { db: Db; clock: Clock; queue: Queue }): Route[] {
  return [
    route({
      endpoint: 'GET /api/v1/operator/ledger',
      operationId: 'listAllLedgerEntries',
      summary: 'List the ledger entries of every account, newest first',
      description: `As in the ledger of one account, with its name. ${pages}`,
      ...operator,
      query: listAllEntriesQuery,
      answer: accountEntryPage,
      async handler({ query: { account, ...query } }) {
        const { entries, nextCursor } = await pageOfEntries(db, await idOf(db, account), query)
        const ids = entries.map((entry) => entry.account_id)
        const names = await namesOfAccounts(db, ids)
        const items = entries.map((entry) => ({
          ...entryRecord(entry),
          account: names.get(entry.account_id) ?? entry.account_id,
        }))
        return { items, nextCursor }
      },
    }),
    route({
      endpoint: 'GET /api/v1/operator/webhooks/deliveries',
      operationId: 'listAllDeliveries',
      summary: 'List the callbacks of every account, newest first',
      description: `As in the list of one account. ${pages}`,
      ...operator,
      query: listAllDeliveriesQuery,
      answer: deliveryPage,
      handler: async ({ query: { account, ...query } }) => pageOfDeliveries(db, await idOf(db, account), query, true),
    }),
    route({
      endpoint: 'POST /api/v1/operator/webhooks/deliveries/:id/resend',
      operationId: 'resendAnyDelivery',
      summary: 'Send a callback of any account again',
      description: 'Begins a new round of attempts. It does not count towards the resends of the callback.',
      ...operator,
      answer: resentDelivery,
      async handler({ params }) {
        const { id, state } = await resendDelivery({ db, queue }, params.id!, null, clock.now())
        return { id, state }
      },
    }),
  ]
}

async function idOf(sql: Sql, account: string | undefined): Promise<string | undefined> {
  return account === undefined ? undefined : (await needAccount(sql, account)).id
}
