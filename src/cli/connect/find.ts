// Finds the account or key that a command names, or fails with a clear message.

import { findAccount, listAccounts } from '../../accounts/accounts.ts'
import { firstAccountName } from '../../accounts/first-account.ts'
import { findKey } from '../../accounts/keys/read-keys.ts'
import type { Account } from '../../contract/accounts.ts'
import type { Sql } from '../../db/db.ts'
import { OperatorError } from '../../platform/errors.ts'

const namesShownMax = 10

export async function needAccount(sql: Sql, name: string): Promise<Account> {
  const account = await findAccount(sql, name)
  if (account) return account
  const names = (await listAccounts(sql, { limit: namesShownMax + 1 })).map((other) => other.name)
  const shown = names.slice(0, namesShownMax).join(', ') + (names.length > namesShownMax ? ', …' : '')
  throw new OperatorError(
    names.length > 0
      ? `there is no account "${name}"; there are ${shown}`
      : `there is no account "${name}", and none has been created yet; ${
          name === firstAccountName
            ? 'the first start of the service creates it'
            : `create it with: dailies accounts create ${name} --credits 1000`
        }`,
  )
}

/** The id of the account that a flag names; undefined without one. */
export async function needAccountId(sql: Sql, name: string | undefined): Promise<string | undefined> {
  return name === undefined ? undefined : (await needAccount(sql, name)).id
}

/** A key that is not revoked. */
export async function needLiveKey(sql: Sql, id: string, nowMs: number) {
  const key = await findKey(sql, id, nowMs)
  if (!key) throw new OperatorError(`there is no key with the id "${id}"; dailies keys list shows them`)
  if (key.revokedAt !== null) throw new OperatorError(`the key ${id} is revoked`)
  return key
}
