// Accounts and keys of a test's own, made the way an operator makes them, so that tests do not spend each other's credits.
import { createAccount, grantCredits } from '../../../src/accounts/accounts.ts'
import { createKey, type NewKey } from '../../../src/accounts/keys/keys.ts'
import { plainBox } from '../plain-box.ts'
import type { Api } from './api.ts'
import type { TestService } from './service.ts'

export interface Caller {
  api: Api
  accountId: string
  keyId: string
  key: string
}

let count = 0

export function newCaller(service: TestService, credits: number, key: Partial<NewKey> = {}): Promise<Caller> {
  return service.app.db.transaction(async (tx) => {
    const account = await createAccount(tx, `caller ${++count}`, credits, Date.now(), plainBox)
    const made = await createKey(tx, { accountId: account.id, name: 'a key', ...key }, Date.now())
    return { api: service.as(made.key), accountId: account.id, keyId: made.id, key: made.key }
  })
}

export async function newSubKey(service: TestService, parent: Caller, limits: Partial<NewKey> = {}): Promise<Caller> {
  const key = { accountId: parent.accountId, parentId: parent.keyId, name: 'a sub-key', ...limits }
  const made = await service.app.db.transaction((tx) => createKey(tx, key, Date.now()))
  return { ...parent, api: service.as(made.key), keyId: made.id, key: made.key }
}

export function giveCredits(service: TestService, caller: Caller, credits: number): Promise<number> {
  return service.app.db.transaction((tx) => grantCredits(tx, caller.accountId, credits, Date.now()))
}

export async function balanceOf(caller: Caller): Promise<number> {
  return (await caller.api.get('/api/v1/account/credit')).body.data
}

/** Kinds of the ledger's entries about a task, oldest first. */
export async function entriesOf(caller: Caller, taskId: string): Promise<string[]> {
  const answer = await caller.api.get(`/api/v1/account/ledger?taskId=${taskId}`)
  return answer.body.data.items.map((entry: { kind: string }) => entry.kind).reverse()
}
