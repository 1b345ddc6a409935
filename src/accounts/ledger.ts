// The credit ledger: append-only entries whose sum is the balance, always. Owns every change of a balance; prices and
// the decision to charge are made elsewhere.
import type { Sql, Tx } from '../db/db.ts'
import { filtered } from '../db/filtered.ts'
import { newId } from '../platform/ids.ts'

export interface LedgerRow {
  id: string
  account_id: string
  key_id: string | null
  task_id: string | null
  kind: 'grant' | 'hold' | 'settle' | 'release' | 'charge'
  amount: number
  balance_after: number
  created_at: number
}

export interface LedgerEntry {
  accountId: string
  keyId: string | null
  taskId: string | null
  kind: LedgerRow['kind']
  amount: number
}

/** Posts one entry and moves the balance with it. The database refuses a balance below zero. */
export async function postEntry(tx: Tx, entry: LedgerEntry, nowMs: number): Promise<number> {
  const account = await tx.one<{ balance: number }>(
    'update accounts set balance = balance + ? where id = ? returning balance',
    [entry.amount, entry.accountId],
  )
  if (!account) throw new Error('a ledger entry for an account that does not exist')
  await tx.insert('ledger', [ledgerRow(entry, account.balance, nowMs)])
  return account.balance
}

export function ledgerRow(entry: LedgerEntry, balanceAfter: number, nowMs: number) {
  return {
    id: newId(nowMs),
    account_id: entry.accountId,
    key_id: entry.keyId,
    task_id: entry.taskId,
    kind: entry.kind,
    amount: entry.amount,
    balance_after: balanceAfter,
    created_at: nowMs,
  }
}

export interface HeldTask {
  id: string
  accountId: string
  keyId: string
  price: number
}

/** Ends a hold as spent. */
export async function settleHold(tx: Tx, task: HeldTask, nowMs: number): Promise<void> {
  await postEntry(
    tx,
    { accountId: task.accountId, keyId: task.keyId, taskId: task.id, kind: 'settle', amount: 0 },
    nowMs,
  )
}

/** Ends a hold by giving it back, to the account and to the key's own limit. */
export async function releaseHold(tx: Tx, task: HeldTask, nowMs: number): Promise<void> {
  const entry = {
    accountId: task.accountId,
    keyId: task.keyId,
    taskId: task.id,
    kind: 'release',
    amount: task.price,
  } as const
  await postEntry(tx, entry, nowMs)
  await tx.run('update keys set credit_used = credit_used - ? where id = ?', [task.price, task.keyId])
}

export interface LedgerFilter {
  accountId?: string
  taskId?: string
  /** Entries older than this id. */
  before?: string
  limit: number
}

/** Newest first. */
export async function listEntries(sql: Sql, filter: LedgerFilter): Promise<LedgerRow[]> {
  if (filter.taskId) return entriesOfTask(sql, filter.taskId, filter)
  const { where, params } = filtered({ 'account_id = ?': filter.accountId, 'id < ?': filter.before })
  return sql.all(`select * from ledger ${where} order by id desc limit ?`, [...params, filter.limit])
}

/** Of the few that a task has; in one query with an account, SQLite would rather look through all of the account's. */
async function entriesOfTask(sql: Sql, taskId: string, filter: LedgerFilter): Promise<LedgerRow[]> {
  const entries = await sql.all<LedgerRow>('select * from ledger where task_id = ?', [taskId])
  return entries
    .filter((entry) => !filter.accountId || entry.account_id === filter.accountId)
    .filter((entry) => !filter.before || entry.id < filter.before)
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, filter.limit)
}

export interface LedgerCheck {
  ok: boolean
  accounts: number
  entries: number
  problems: string[]
}

/** Recomputes what the tables promise each other. An empty list of problems means that every credit is accounted for. */
export async function checkLedger(sql: Sql): Promise<LedgerCheck> {
  const problems: string[] = []
  for (const { text, say } of invariants) {
    for (const row of await sql.all<Record<string, unknown>>(text)) problems.push(say(row))
  }
  const counts = await sql.one<{ accounts: number; entries: number }>(
    'select (select count(*) from accounts) as accounts, (select count(*) from ledger) as entries',
  )
  return { ok: problems.length === 0, accounts: counts!.accounts, entries: counts!.entries, problems }
}

const invariants: { text: string; say: (row: Record<string, unknown>) => string }[] = [
  {
    text: `select a.name, a.balance, coalesce(sum(l.amount), 0) as total from accounts a
           left join ledger l on l.account_id = a.id group by a.id, a.name, a.balance
           having a.balance <> coalesce(sum(l.amount), 0) limit 100`,
    say: (row) => `account ${row.name}: balance ${row.balance}, but its entries add up to ${row.total}`,
  },
  {
    text: `select a.name, a.open_tasks, (select count(*) from tasks t where t.account_id = a.id
             and t.state not in ('success', 'fail')) as counted from accounts a
           where a.open_tasks <> (select count(*) from tasks t where t.account_id = a.id
             and t.state not in ('success', 'fail')) limit 100`,
    say: (row) => `account ${row.name}: counts ${row.open_tasks} open tasks, but has ${row.counted}`,
  },
  {
    text: `select k.id, k.credit_used, coalesce(-sum(l.amount), 0) as total from keys k
           left join ledger l on l.key_id = k.id and l.kind <> 'grant' group by k.id, k.credit_used
           having k.credit_used <> coalesce(-sum(l.amount), 0) limit 100`,
    say: (row) => `key ${row.id}: counts ${row.credit_used} credits used, but its entries add up to ${row.total}`,
  },
  {
    text: `select t.id, t.state from tasks t where (t.state = 'success') <>
             exists (select 1 from ledger l where l.task_id = t.id and l.kind = 'settle') limit 100`,
    say: (row) => `task ${row.id}: is ${row.state}, which its settle entry contradicts`,
  },
  {
    text: `select t.id, t.state from tasks t where (t.state = 'fail') <>
             exists (select 1 from ledger l where l.task_id = t.id and l.kind = 'release') limit 100`,
    say: (row) => `task ${row.id}: is ${row.state}, which its release entry contradicts`,
  },
  {
    text: `select t.id, t.price from tasks t where not exists
             (select 1 from ledger l where l.task_id = t.id and l.kind = 'hold' and l.amount = -t.price) limit 100`,
    say: (row) => `task ${row.id}: has no hold of ${row.price} credits`,
  },
]
