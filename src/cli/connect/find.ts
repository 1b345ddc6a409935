// The account that a command names, or a message that says which ones there are.
import { findAccount, listAccounts } from '../../accounts/accounts.ts'
import { firstAccountName } from '../../accounts/first-account.ts'
import type { Account } from '../../contract/accounts.ts'
import type { Sql } from '../../db/db.ts'
import { OperatorError } from '../../platform/errors.ts'

const namesShownMax = 10
/** One more than are shown tells that there are others. */
export const namesRead = namesShownMax + 1

export async function needAccount(sql: Sql, name: string): Promise<Account> {
  const account = await findAccount(sql, name)
  if (account) return account
  throw new OperatorError(noAccountText(name, await listAccounts(sql, { limit: namesRead })))
}

export function noAccountText(name: string, accounts: Pick<Account, 'name'>[]): string {
  const names = accounts.map((each) => each.name)
  const shown = names.slice(0, namesShownMax).join(', ') + (names.length > namesShownMax ? ', …' : '')
  if (names.length > 0) return `there is no account "${name}"; there are ${shown}`
  return `there is no account "${name}", and none has been created yet; ${
    name === firstAccountName
      ? 'the first start of the service creates it'
      : `create it with: dailies accounts create ${name} --credits 1000`
  }`
}
