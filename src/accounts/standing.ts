// The state of accounts and keys that admission reads, locks until its transaction ends, and writes back.
import { forUpdate, inList, rowsFrom, rowsParam, type Tx } from '../db/db.ts'
import { waitForAll } from '../platform/wait-for-all.ts'

interface AccountStanding {
  balance: number
  openTasks: number
  /** Virtual finish time of the account's last task. */
  virtualFinish: number
}

interface KeyStanding {
  creditLimit: number | null
  creditUsed: number
}

export interface Standings {
  accounts: Map<string, AccountStanding>
  keys: Map<string, KeyStanding>
}

/** Locks accounts, then keys, each in the order of their ids, so that two processes cannot deadlock. */
export async function lockStandings(tx: Tx, accountIds: string[], keyIds: string[]): Promise<Standings> {
  const accounts = tx.all<{ id: string; balance: number; open_tasks: number; virtual_finish: number }>(
    `select id, balance, open_tasks, virtual_finish from accounts where ${inList(tx, 'id')} order by id ${forUpdate(tx)}`,
    [JSON.stringify(accountIds)],
  )
  const keys = tx.all<{ id: string; credit_limit: number | null; credit_used: number }>(
    `select id, credit_limit, credit_used from keys where ${inList(tx, 'id')} order by id ${forUpdate(tx)}`,
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

/** Stores the standings of these accounts and keys, which the transaction has locked. */
export async function storeStandings(
  tx: Tx,
  standings: Standings,
  changed: { accountIds: ReadonlySet<string>; keyIds: ReadonlySet<string> },
): Promise<void> {
  if (changed.accountIds.size === 0) return
  const accounts = [...changed.accountIds].map((id) => {
    const { balance, openTasks, virtualFinish } = standings.accounts.get(id)!
    return { v_id: id, v_balance: balance, v_open: openTasks, v_finish: virtualFinish }
  })
  const accountColumns = { v_id: 'text', v_balance: 'bigint', v_open: 'bigint', v_finish: 'double precision' } as const
  const storeAccounts = tx.run(
    `update accounts set balance = v_balance, open_tasks = v_open, virtual_finish = v_finish
     from ${rowsFrom(tx, accountColumns)} where id = v_id`,
    [rowsParam(accounts)],
  )
  const keys = [...changed.keyIds].map((id) => ({ v_id: id, v_used: standings.keys.get(id)!.creditUsed }))
  const storeKeys = tx.run(
    `update keys set credit_used = v_used from ${rowsFrom(tx, { v_id: 'text', v_used: 'bigint' })} where id = v_id`,
    [rowsParam(keys)],
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
