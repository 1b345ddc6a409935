// Deletes everything of an account: keys, tasks, files, requests, callbacks, secrets. The ledger stays, because it is
// append-only and its sums must balance; what is left of the account has no name.

import { anonymiseAccount } from '../accounts/accounts.ts'
import { deleteKeys, revokeAllKeys } from '../accounts/keys/keys.ts'
import { forget } from '../admission/idempotency.ts'
import { type Actor, recordAct } from '../audit/audit.ts'
import type { Account } from '../contract/accounts.ts'
import type { Db, Tx } from '../db/db.ts'
import { deleteRequests } from '../inference/requests.ts'
import type { Clock } from '../platform/clock.ts'
import { expireAccountFiles } from '../storage/files.ts'
import type { Storage } from '../storage/storage.ts'
import { sweepFiles } from '../storage/sweep.ts'
import type { Finish } from '../tasks/finish/finish.ts'
import { deleteEnded } from '../tasks/store/store.ts'
import { deleteDeliveries } from '../webhooks/deliveries.ts'

interface DeleteAccountDeps {
  db: Db
  clock: Clock
  storage: Storage
  finish: Finish
}

interface DeletedAccount {
  name: string
  keys: number
  tasks: number
  requests: number
  files: number
}

/** Small, because SQLite's one writer waits for the whole batch. */
const batchMax = 50

export async function deleteAccount(deps: DeleteAccountDeps, by: Actor, account: Account): Promise<DeletedAccount> {
  const { db, clock } = deps
  // First the keys, so that nothing new begins.
  const keys = await db.transaction((tx) => revokeAllKeys(tx, account.id, clock.now()))
  await cancelTasks(deps, account.id)
  const tasks = await repeat(() => db.transaction((tx) => deleteSomeTasks(tx, account.id)))
  const requests = await repeat(() => db.transaction((tx) => deleteSomeRequests(tx, account.id)))
  const files = await db.transaction(async (tx) => {
    const nowMs = clock.now()
    await deleteDeliveries(tx, account.id)
    const expired = await expireAccountFiles(tx, account.id, nowMs)
    await deleteKeys(tx, account.id, nowMs)
    await anonymiseAccount(tx, account.id)
    const before = { balance: account.balance, createdAt: account.createdAt }
    const after = { keys, tasks, requests, files: expired }
    await recordAct(tx, by, { action: 'account.delete', target: account.name, before, after }, nowMs)
    return expired
  })
  await sweepFiles(deps, new AbortController().signal)
  return { name: account.name, keys, tasks, requests, files }
}

async function cancelTasks({ db, finish }: DeleteAccountDeps, accountId: string): Promise<void> {
  const failure = { reason: 'canceled', message: 'The account was deleted.' } as const
  for (;;) {
    const open = await db.all<{ id: string }>(
      `select id from tasks where account_id = ? and completed_at is null limit ?`,
      [accountId, batchMax],
    )
    await Promise.all(open.map(({ id }) => finish({ taskId: id, job: null, result: { failure }, stopsEngine: true })))
    if (open.length === 0) return
  }
}

async function deleteSomeTasks(tx: Tx, accountId: string): Promise<number> {
  const rows = await tx.all<{ id: string }>('select id from tasks where account_id = ? order by id limit ?', [
    accountId,
    batchMax,
  ])
  const ids = rows.map(({ id }) => id)
  await forget(tx, ids)
  return deleteEnded(tx, ids)
}

async function deleteSomeRequests(tx: Tx, accountId: string): Promise<number> {
  const ids = await deleteRequests(tx, accountId, batchMax)
  await forget(tx, ids)
  return ids.length
}

async function repeat(work: () => Promise<number>): Promise<number> {
  let total = 0
  for (let done = await work(); done > 0; done = await work()) total += done
  return total
}
