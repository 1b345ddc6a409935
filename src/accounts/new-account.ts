// A new account with its first key, for the command line and the operator's API.

import { type Actor, recordAct } from '../audit/audit.ts'
import type { Account } from '../contract/accounts.ts'
import type { Db } from '../db/db.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { createAccount, findAccount } from './accounts.ts'
import { createKeyBy } from './keys/key-acts.ts'

export interface NewAccount {
  account: Account
  key: { id: string; key: string }
}

/** Null when there is an account of this name already. */
export async function createAccountBy(
  deps: { db: Db; secretBox: SecretBox },
  by: Actor,
  { name, credits }: { name: string; credits: number },
  nowMs: number,
): Promise<NewAccount | null> {
  try {
    return await deps.db.transaction(async (tx) => {
      if (await findAccount(tx, name)) return null
      const account = await createAccount(tx, name, credits, nowMs, deps.secretBox)
      await recordAct(tx, by, { action: 'account.create', target: name, after: { credits } }, nowMs)
      return { account, key: await createKeyBy(tx, by, { accountId: account.id, name: 'first key' }, nowMs) }
    })
  } catch (error) {
    // Another process may have created it between the check and the commit.
    if (await findAccount(deps.db, name)) return null
    throw error
  }
}
