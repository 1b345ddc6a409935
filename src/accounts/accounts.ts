// Accounts own tasks, keys and credits.
import { randomBytes } from 'node:crypto'
import { type Actor, recordAct } from '../audit/audit.ts'
import type { Account } from '../contract/accounts.ts'
import { anyOf, type Sql, type Tx } from '../db/db.ts'
import { newId } from '../platform/ids.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { postEntry } from './ledger.ts'

const columns = 'id, name, balance, open_tasks as "openTasks", created_at as "createdAt"'

export async function createAccount(
  tx: Tx,
  name: string,
  credits: number,
  nowMs: number,
  box: SecretBox,
): Promise<Account> {
  const id = newId(nowMs)
  await tx.insert('accounts', [{ id, name, webhook_secret: box.seal(newWebhookSecret()), created_at: nowMs }])
  if (credits > 0) await grantCredits(tx, id, credits, nowMs)
  return { id, name, balance: credits, openTasks: 0, createdAt: nowMs }
}

/** Credits granted by an operator, or withdrawn with a negative number. Returns the new balance. */
export function grantCredits(tx: Tx, accountId: string, amount: number, nowMs: number): Promise<number> {
  return postEntry(tx, { accountId, keyId: null, subject: null, kind: 'grant', amount }, nowMs)
}

/** Grants credits by an act that the audit log records. */
export async function creditAccount(
  tx: Tx,
  by: Actor,
  account: Pick<Account, 'id' | 'name'>,
  amount: number,
  nowMs: number,
): Promise<number> {
  const balance = await grantCredits(tx, account.id, amount, nowMs)
  const act = { action: 'account.credit', target: account.name } as const
  await recordAct(tx, by, { ...act, before: { balance: balance - amount }, after: { balance } }, nowMs)
  return balance
}

export function findAccount(sql: Sql, name: string): Promise<Account | undefined> {
  return sql.one(`select ${columns} from accounts where name = ?`, [name])
}

/** Oldest first; `after` is the last id of the previous page. */
export function listAccounts(
  sql: Sql,
  { after = '', limit }: { after?: string | undefined; limit: number },
): Promise<Account[]> {
  const text = `select ${columns} from accounts where id > ? and webhook_secret <> '' order by id limit ?`
  return sql.all(text, [after, limit])
}

/** By id. */
export async function namesOfAccounts(sql: Sql, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql.all<{ id: string; name: string }>(`select id, name from accounts where ${anyOf(sql, 'id')}`, [
    JSON.stringify([...new Set(ids)]),
  ])
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** What is left of a deleted account: its id and balance, which the ledger refers to. Without a secret it is not listed. */
export async function anonymiseAccount(tx: Tx, id: string): Promise<void> {
  await tx.run(
    `update accounts set name = 'deleted ' || id, webhook_secret = '', old_webhook_secret = null,
     old_webhook_secret_until = null where id = ?`,
    [id],
  )
}

/** What the caller may spend: the balance of its account; for a sub-key, at most what its credit limit leaves. */
export function creditsFor(sql: Sql, caller: { accountId: string; keyId: string; isSubKey: boolean }): Promise<number> {
  return caller.isSubKey ? allowanceOf(sql, caller.accountId, caller.keyId) : balanceOf(sql, caller.accountId)
}

async function balanceOf(sql: Sql, accountId: string): Promise<number> {
  const row = await sql.one<{ balance: number }>('select balance from accounts where id = ?', [accountId])
  return row!.balance
}

/** Creates a new signing secret; the previous one also signs until `oldUntil`. Returns the new one. */
export async function replaceWebhookSecret(
  tx: Tx,
  accountId: string,
  oldUntil: number,
  box: SecretBox,
): Promise<string> {
  const secret = newWebhookSecret()
  await tx.run(
    'update accounts set old_webhook_secret = webhook_secret, webhook_secret = ?, old_webhook_secret_until = ? where id = ?',
    [box.seal(secret), oldUntil, accountId],
  )
  return secret
}

async function allowanceOf(sql: Sql, accountId: string, keyId: string): Promise<number> {
  const row = await sql.one<{ balance: number; credit_limit: number | null; credit_used: number }>(
    'select a.balance, k.credit_limit, k.credit_used from accounts a join keys k on k.account_id = a.id where a.id = ? and k.id = ?',
    [accountId, keyId],
  )
  const { balance, credit_limit: limit, credit_used: used } = row!
  return limit === null ? balance : Math.min(balance, Math.max(0, limit - used))
}

/** The format of the Standard Webhooks specification: a prefix and 24 to 64 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}
