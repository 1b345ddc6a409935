// /api/v1/operator/accounts/:name/keys: the keys of an account, for operators.
import { findAccount } from '../../../accounts/accounts.ts'
import { revokeKeyBy } from '../../../accounts/keys/key-acts.ts'
import { findKey, listKeys } from '../../../accounts/keys/read-keys.ts'
import { apiError } from '../../../contract/errors.ts'
import { accountKeyPage, keyId } from '../../../contract/keys.ts'
import { longPageQuery } from '../../../contract/page.ts'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { requestActor } from '../../connections/request-actor.ts'
import { type Route, route } from '../../route.ts'
import { cutPage } from '../../server/paging.ts'
import { operator } from './operator.ts'

export function accountKeyRoutes({ db, clock }: { db: Db; clock: Clock }): Route[] {
  return [
    route({
      endpoint: 'GET /api/v1/operator/accounts/:name/keys',
      operationId: 'listAccountKeys',
      summary: 'List the keys of an account',
      description: 'Main keys and sub-keys, oldest first, revoked ones included.',
      ...operator,
      query: longPageQuery,
      answer: accountKeyPage,
      async handler({ params, query: { limit, cursor } }) {
        const account = await findAccount(db, params.name!)
        if (!account) throw apiError('no_account')
        const filter = { accountId: account.id, after: cursor, limit: limit + 1 }
        const { rows, nextCursor } = cutPage(await listKeys(db, clock.now(), filter), limit)
        return { items: rows.map(({ account: _account, ...key }) => key), nextCursor }
      },
    }),
    route({
      endpoint: 'DELETE /api/v1/operator/accounts/:name/keys/:id',
      operationId: 'revokeAccountKey',
      summary: 'Revoke a key of an account',
      description: 'It and its sub-keys stop working at once. Their tasks continue and stay in the account.',
      ...operator,
      answer: keyId,
      async handler({ params, request }) {
        const nowMs = clock.now()
        const account = await findAccount(db, params.name!)
        if (!account) throw apiError('no_account')
        const key = await findKey(db, params.id!, nowMs)
        if (key?.accountId !== account.id || key.revokedAt !== null) throw apiError('no_key')
        await db.transaction((tx) => revokeKeyBy(tx, requestActor(request), key.id, nowMs))
        return { id: key.id }
      },
    }),
  ]
}
