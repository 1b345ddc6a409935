// POST /api/v1/operator/accounts: a new account with its first key.
import { createAccount, findAccount } from '../../../accounts/accounts.ts'
import { createKeyBy } from '../../../accounts/keys/key-acts.ts'
import { recordAct } from '../../../audit/audit.ts'
import { madeAccount, newAccount } from '../../../contract/accounts.ts'
import { invalid } from '../../../contract/errors.ts'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { requestActor } from '../../connections/request-actor.ts'
import { type Route, route } from '../../route.ts'

export function createAccountRoute({ db, clock }: { db: Db; clock: Clock }): Route {
  return route({
    method: 'POST',
    path: '/api/v1/operator/accounts',
    docs: {
      operationId: 'createAccount',
      summary: 'Create an account and its first key',
      description: 'The key is shown this once; only a hash of it is stored.',
      tag: 'Operator',
    },
    access: 'operator',
    scope: 'operator',
    body: newAccount,
    answer: madeAccount,
    async handler({ body: { name, credits }, request }) {
      const taken = () => invalid([`name: there is an account "${name}" already`])
      try {
        return await db.transaction(async (tx) => {
          if (await findAccount(tx, name)) throw taken()
          const nowMs = clock.now()
          const by = requestActor(request)
          const { id, balance } = await createAccount(tx, name, credits ?? 0, nowMs)
          await recordAct(tx, by, { action: 'account.create', target: name, after: { credits: balance } }, nowMs)
          const { id: keyId, key } = await createKeyBy(tx, by, { accountId: id, name: 'first key' }, nowMs)
          return { id, name, balance, keyId, key }
        })
      } catch (error) {
        // Another process may have created it between the check and the commit.
        if (await findAccount(db, name)) throw taken()
        throw error
      }
    },
  })
}
