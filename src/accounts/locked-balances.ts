// The state of accounts and keys that admission reads, locks until its transaction ends, and writes back.
import { anyOf, forUpdate, type Sql, type Tx } from '../db/db.ts'
import { updateEach } from '../db/update-each.ts'
import { waitForAll } from '../platform/wait-for-all.ts'

interface AccountBalance {
  balance: number
  openTasks: number
  /** Virtual finish time of the account's last task. */
  virtualFinish: number
}

interface KeyBalance {
  creditLimit: number | null
  creditUsed: number
}

export interface Balances {
  accounts: Map<string, AccountBalance>
  keys: Map<string, KeyBalance>
}

/** Locks accounts, then keys, each in the order of their ids, so that two processes cannot deadlock. */
export async function lockBalances(tx: Tx, accountIds: string[], keyIds: string[]): Promise<Balances> {
  const accounts = tx.all<{ id: string; balance: number; open_tasks: number; virtual_finish: number }>(
    `select id, balance, open_tasks, virtual_finish from accounts where ${anyOf(tx, 'id')} order by id ${forUpdate(tx)}`,
    [JSON.stringify(accountIds)],
  )
  const keys = tx.all<{ id: string; credit_limit: number | null; credit_used: number }>(
    `select id, credit_limit, credit_used from keys where ${anyOf(tx, 'id')} order by id ${forUpdate(tx)}`,
    [JSON.stringify(keyIds)],
  )
  const [accountRows, keyRows] = await waitForAll([accounts, keys])
  return {
    accounts: new Map(
      accountRows.map((row) => [
        row.id,
        { balance: row.balance, openTasks: row.open_tasks, virtualFinish: row.virtual_finish },
      ]),
    ),
    keys: new Map(keyRows.map((row) => [row.id, { creditLimit: row.credit_limit, creditUsed: row.credit_used }])),
  }
}

/** Stores the balances of these accounts and keys, which the transaction has locked. */
export async function storeBalances(
  tx: Tx,
  locked: Balances,
  changed: { accountIds: ReadonlySet<string>; keyIds: ReadonlySet<string> },
): Promise<void> {
  if (changed.accountIds.size === 0) return
  const accounts = [...changed.accountIds].map((id) => {
    const { balance, openTasks, virtualFinish } = locked.accounts.get(id)!
    return { id, balance, openTasks, virtualFinish }
  })
  const storeAccounts = updateEach(
    tx,
    {
      table: 'accounts',
      columns: { balance: 'bigint', openTasks: 'bigint', virtualFinish: 'double precision' },
      set: ({ balance, openTasks, virtualFinish }) =>
        `balance = ${balance}, open_tasks = ${openTasks}, virtual_finish = ${virtualFinish}`,
      areLocked: true,
    },
    accounts,
  )
  const keys = [...changed.keyIds].map((id) => ({ id, used: locked.keys.get(id)!.creditUsed }))
  const storeKeys = updateEach(
    tx,
    { table: 'keys', columns: { used: 'bigint' }, set: ({ used }) => `credit_used = ${used}`, areLocked: true },
    keys,
  )
  await waitForAll([storeAccounts, storeKeys])
}

/** The latest virtual finish time of any account. */
export async function latestVirtualFinish(tx: Tx): Promise<number> {
  const row = await tx.one<{ virtual_finish: number | null }>(
    'select max(virtual_finish) as virtual_finish from accounts',
  )
  return row?.virtual_finish ?? 0
}

/** Where the account's line of tasks ends now: a job with this order comes after all of its tasks so far. */
export async function endOfLine(sql: Sql, accountId: string): Promise<number> {
  const row = await sql.one<{ virtual_finish: number }>('select virtual_finish from accounts where id = ?', [accountId])
  return row?.virtual_finish ?? 0
}
