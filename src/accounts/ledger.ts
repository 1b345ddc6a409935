// The credit ledger: append-only entries whose sum is always the balance. Prices, and decisions to charge, are made
// elsewhere; admission decides the balances of the holds that it stores (accounts/locked-balances.ts).
import type { LedgerEntry } from '../contract/accounts.ts'
import { forUpdate, type Tx } from '../db/db.ts'
import { updateEach } from '../db/update-each.ts'
import { newId } from '../platform/ids.ts'

export interface LedgerRow {
  id: string
  account_id: string
  key_id: string | null
  subject: string | null
  kind: LedgerEntry['kind']
  amount: number
  balance_after: number
  created_at: number
}

interface NewEntry {
  accountId: string
  keyId: string | null
  /** The task or inference request; null for grants. */
  subject: string | null
  kind: LedgerRow['kind']
  amount: number
}

/** Inserts one entry and changes the balance by it. The database refuses a balance below zero. */
export async function postEntry(tx: Tx, entry: NewEntry, nowMs: number): Promise<number> {
  const account = await tx.one<{ balance: number }>(
    'update accounts set balance = balance + ? where id = ? returning balance',
    [entry.amount, entry.accountId],
  )
  if (!account) throw new Error('a ledger entry for an account that does not exist')
  await tx.insert('ledger', [ledgerRow(entry, account.balance, nowMs)])
  return account.balance
}

export function ledgerRow(entry: NewEntry, balanceAfter: number, nowMs: number) {
  return {
    id: newId(nowMs),
    account_id: entry.accountId,
    key_id: entry.keyId,
    subject: entry.subject,
    kind: entry.kind,
    amount: entry.amount,
    balance_after: balanceAfter,
    created_at: nowMs,
  }
}

/** Inserts the holds of admitted tasks; admission has already stored their balances (accounts/locked-balances.ts). */
export async function recordHolds(
  tx: Tx,
  holds: { id: string; accountId: string; keyId: string; price: number; balanceAfter: number }[],
  nowMs: number,
): Promise<void> {
  const rows = holds.map(({ id, accountId, keyId, price, balanceAfter }) =>
    ledgerRow({ accountId, keyId, subject: id, kind: 'hold', amount: -price }, balanceAfter, nowMs),
  )
  await tx.insert('ledger', rows)
}

/** A task that has ended: its hold is settled, or released to the account and to the key's credit limit. */
interface EndedHold {
  id: string
  accountId: string
  keyId: string
  price: number
  end: 'settle' | 'release'
}

/** Ends the holds of any number of tasks, with one update per account and key. */
export async function endHolds(tx: Tx, ended: EndedHold[], nowMs: number): Promise<void> {
  if (ended.length === 0) return
  const amount = ({ end, price }: EndedHold) => (end === 'release' ? price : 0)
  const total = (holds: EndedHold[]) => holds.reduce((sum, hold) => sum + amount(hold), 0)
  const changes = [...Map.groupBy(ended, ({ accountId }) => accountId)].map(([id, holds]) => ({
    id,
    amount: total(holds),
    count: holds.length,
  }))
  const balances = await changeAccounts(tx, changes)
  const rows: ReturnType<typeof ledgerRow>[] = []
  // Each entry records the balance after it, as if the entries had been inserted one by one.
  for (const change of changes) balances.set(change.id, balances.get(change.id)! - change.amount)
  for (const hold of ended) {
    const { accountId, keyId, id, end } = hold
    const balance = balances.get(accountId)! + amount(hold)
    balances.set(accountId, balance)
    rows.push(ledgerRow({ accountId, keyId, subject: id, kind: end, amount: amount(hold) }, balance, nowMs))
  }
  await tx.insert('ledger', rows)
  const released = ended.filter(({ end, price }) => end === 'release' && price > 0)
  if (released.length === 0) return
  await updateEach(
    tx,
    {
      table: 'keys',
      columns: { amount: 'bigint' },
      set: ({ amount }) => `credit_used = credit_used - ${amount}`,
      areLocked: false,
    },
    [...Map.groupBy(released, ({ keyId }) => keyId)].map(([id, holds]) => ({ id, amount: total(holds) })),
  )
}

async function changeAccounts(
  tx: Tx,
  changes: { id: string; amount: number; count: number }[],
): Promise<Map<string, number>> {
  const rows = await updateEach<{ id: string; balance: number }, 'amount' | 'count'>(
    tx,
    {
      table: 'accounts',
      columns: { amount: 'bigint', count: 'bigint' },
      set: ({ amount, count }) => `balance = balance + ${amount}, open_tasks = open_tasks - ${count}`,
      returning: ['id', 'balance'],
      areLocked: false,
    },
    changes,
  )
  return new Map(rows.map(({ id, balance }) => [id, balance]))
}

/**
 * Charges an inference request. Returns false, and changes nothing, when the account or sub-key has too few credits.
 */
export async function chargeCredits(
  tx: Tx,
  owner: { accountId: string; keyId: string; subject: string },
  credits: number,
  nowMs: number,
): Promise<boolean> {
  const { accountId, keyId, subject } = owner
  const account = await tx.one<{ balance: number }>(`select balance from accounts where id = ? ${forUpdate(tx)}`, [
    accountId,
  ])
  if (account!.balance < credits) return false
  const counted = await tx.run(
    'update keys set credit_used = credit_used + ? where id = ? and (credit_limit is null or credit_used + ? <= credit_limit)',
    [credits, keyId, credits],
  )
  if (counted === 0) return false
  await postEntry(tx, { accountId, keyId, subject, kind: 'charge', amount: -credits }, nowMs)
  return true
}
