// Reads the ledger page by page: of an account, of one task, and what a task cost in the end. What writes it is in ledger.ts.
import { anyOf, type Sql } from '../db/db.ts'
import { newestOf, scannedTo, whereClause } from '../db/where-clause.ts'
import { endOfId, isId } from '../platform/ids.ts'
import type { LedgerRow } from './ledger.ts'

interface LedgerFilter {
  accountId?: string
  /** Of a task or inference request; or the end of its id. */
  taskId?: string
  /** Entries older than this id. */
  before?: string
  limit: number
}

/** An entry as it is shown. `cost`: what the task cost in the end, with its settle entry; null with all others. */
export type ShownEntry = LedgerRow & { cost: number | null }

/**
 * Newest first. A search for the end of an id reads a bounded number of entries: `scannedTo` is the oldest one that was
 * read, where older ones may match too.
 */
export async function listEntries(
  sql: Sql,
  filter: LedgerFilter,
): Promise<{ rows: ShownEntry[]; scannedTo: string | null }> {
  const { taskId, accountId, before, limit } = filter
  const end = taskId === undefined || isId(taskId) ? null : endOfId(taskId)
  if (taskId && end === null)
    return { rows: await withCosts(sql, await entriesOfTask(sql, taskId, filter)), scannedTo: null }
  const { filters, order } = newestOf(accountId, { before })
  const oldest = end === null ? null : await scannedTo(sql, 'ledger', { ...whereClause(filters), order })
  const { where, params } = whereClause({
    ...newestOf(accountId, { from: oldest ?? undefined, before }).filters,
    'subject like ?': end === null ? undefined : `%${end}`,
  })
  const rows = await sql.all<LedgerRow>(`select * from ledger ${where} order by ${order} limit ?`, [...params, limit])
  return { rows: await withCosts(sql, rows), scannedTo: rows.length === limit ? null : oldest }
}

/** A settle entry changes nothing: the cost is in the hold, which may be many pages away. */
async function withCosts(sql: Sql, entries: LedgerRow[]): Promise<ShownEntry[]> {
  const settled = entries.filter(({ kind }) => kind === 'settle').map(({ subject }) => subject)
  if (settled.length === 0) return entries.map((entry) => ({ ...entry, cost: null }))
  const holds = await sql.all<{ subject: string; amount: number }>(
    `select subject, amount from ledger where ${anyOf(sql, 'subject')} and kind = 'hold'`,
    [JSON.stringify(settled)],
  )
  const costs = new Map(holds.map(({ subject, amount }) => [subject, -amount]))
  return entries.map((entry) => ({
    ...entry,
    cost: entry.kind === 'settle' ? (costs.get(entry.subject!) ?? null) : null,
  }))
}

/** Filters the few entries of the task here: given both conditions, SQLite would scan all entries of the account. */
async function entriesOfTask(sql: Sql, taskId: string, filter: LedgerFilter): Promise<LedgerRow[]> {
  const entries = await sql.all<LedgerRow>('select * from ledger where subject = ?', [taskId])
  return entries
    .filter((entry) => !filter.accountId || entry.account_id === filter.accountId)
    .filter((entry) => !filter.before || entry.id < filter.before)
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, filter.limit)
}
