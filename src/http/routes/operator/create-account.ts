// POST /api/v1/operator/accounts: a new account with its first key.
import { createAccountBy } from '../../../accounts/new-account.ts'
import { madeAccount, newAccount } from '../../../contract/accounts.ts'
import { invalid } from '../../../contract/errors.ts'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { SecretBox } from '../../../secrets/secret-box.ts'
import { requestActor } from '../../connections/request-actor.ts'
import { type Route, route } from '../../route.ts'
import { operator } from './operator.ts'

export interface CreateAccountDeps {
  db: Db
  clock: Clock
  secretBox: SecretBox
}

export function createAccountRoute(deps: CreateAccountDeps): Route {
  return route({
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
      if (!made) throw invalid([`name: there is an account "${name}" already`])
      const { account, key } = made
      return { id: account.id, name, balance: account.balance, keyId: key.id, key: key.key }
    },
  })
}
