// Checks the ledger against everything that it explains: balances, counters, and the tasks that hold credits.
import type { Sql } from '../db/db.ts'

interface LedgerCheck {
  ok: boolean
  accounts: number
  entries: number
  problems: string[]
}

/** Checks that ledger, balances and holds agree. An empty list of problems means that every credit is accounted for. */
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
             exists (select 1 from ledger l where l.subject = t.id and l.kind = 'settle') limit 100`,
    say: (row) => `task ${row.id}: is ${row.state}, which its settle entry contradicts`,
  },
  {
    text: `select t.id, t.state from tasks t where (t.state = 'fail') <>
             exists (select 1 from ledger l where l.subject = t.id and l.kind = 'release') limit 100`,
    say: (row) => `task ${row.id}: is ${row.state}, which its release entry contradicts`,
  },
  {
    text: `select t.id, t.price from tasks t where not exists
             (select 1 from ledger l where l.subject = t.id and l.kind = 'hold' and l.amount = -t.price) limit 100`,
    say: (row) => `task ${row.id}: has no hold of ${row.price} credits`,
  },
]
