// /api/v1/operator/accounts: accounts and their credits, for operators.
import { creditAccount, findAccount, listAccounts } from '../../../accounts/accounts.ts'
import { createAccountBy } from '../../../accounts/new-account.ts'
import { type Account, grantBody, granted, madeAccount, newAccount } from '../../../contract/accounts.ts'
import { apiError, invalidField } from '../../../contract/errors.ts'
import { accountPage } from '../../../contract/operator.ts'
import { longPageQuery } from '../../../contract/page.ts'
import type { Db, Sql } from '../../../db/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { SecretBox } from '../../../secrets/secret-box.ts'
import { type Route, route } from '../../route.ts'
import { requestActor } from '../../server/guard.ts'
import { cutPage } from '../../server/paging.ts'
import { operator } from './operator.ts'

export interface AccountRouteDeps {
  db: Db
  clock: Clock
  secretBox: SecretBox
}

export function accountRoutes(deps: AccountRouteDeps): Route[] {
  return [
    route({
      endpoint: 'GET /api/v1/operator/accounts',
      operationId: 'listAccounts',
      summary: 'List accounts',
      description: 'All accounts, oldest first, with their balance and their number of unfinished tasks.',
      ...operator,
      query: longPageQuery,
      answer: accountPage,
      async handler({ query: { limit, cursor } }) {
        const found = await listAccounts(deps.db, { after: cursor, limit: limit + 1 })
        const { rows, nextCursor } = cutPage(found, limit)
        return { items: rows, nextCursor }
      },
    }),
    route({
      endpoint: 'POST /api/v1/operator/accounts',
      operationId: 'createAccount',
      summary: 'Create an account and its first key',
      description: 'The key is shown only once; only a hash of it is stored.',
      ...operator,
      body: newAccount,
      answer: madeAccount,
      async handler({ body: { name, credits }, request }) {
        const wanted = { name, credits: credits ?? 0 }
        const made = await createAccountBy(deps, requestActor(request), wanted, deps.clock.now())
        if (!made) throw invalidField('name', `there is an account "${name}" already`)
        const { account, key } = made
        return { id: account.id, name, balance: account.balance, keyId: key.id, key: key.key }
      },
    }),
    route({
      endpoint: 'POST /api/v1/operator/accounts/:name/credit',
      operationId: 'grantCredits',
      summary: 'Grant credits to an account, or withdraw them',
      description:
        'Adds an entry of the kind `grant` to the ledger of the account. A negative number withdraws credits.',
      ...operator,
      body: grantBody,
      answer: granted,
      handler: ({ params, body: { credits }, request }) =>
        deps.db.transaction(async (tx) => {
          const account = await needAccount(tx, params.name!)
          const { name, balance: before } = account
          if (before + credits < 0) {
            const why = `${-credits} cannot be withdrawn (unfinished tasks hold theirs)`
            throw invalidField('credits', `account "${name}" has ${before} credits; ${why}`)
          }
          if (!Number.isSafeInteger(before + credits)) {
            throw invalidField('credits', 'the account would have more than can be counted')
          }
          return { name, balance: await creditAccount(tx, requestActor(request), account, credits, deps.clock.now()) }
        }),
    }),
  ]
}

/** The account that a request names. */
export async function needAccount(sql: Sql, name: string): Promise<Account> {
  const account = await findAccount(sql, name)
  if (!account) throw apiError('no_account')
  return account
}
