// Builds the `where` clause of a list with optional filters. The text depends only on which filters are set, never on
// their values, so that each text is prepared once.
import { afterAllIds } from '../platform/ids.ts'
import type { Param, Sql } from './db.ts'

/** Maps a condition to the value of its `?`, or the values where it has many; undefined omits it. */
export type Filters = Record<string, Param | readonly Param[] | undefined>

/** `implied` conditions take no value. */
export function whereClause(filters: Filters, implied: readonly string[] = []): { where: string; params: Param[] } {
  const given = Object.entries(filters).flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  const conditions = [...given.map(({ sql }) => sql), ...implied]
  return {
    where: conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`,
    params: given.flatMap(({ value }) => value),
  }
}

/**
 * The rows of one owner with ids from `from` on and before `before`, for `order by ${column} desc, id desc`. Pairs are
 * compared because only an index of both columns serves that. With `account_id = ?`, PostgreSQL may prefer to walk the
 * primary key, through the rows of all other accounts.
 */
export function ownedBetween(
  column: string,
  owner: string,
  { from = '', before = afterAllIds }: { from?: string | undefined; before?: string | undefined },
): Filters {
  return { [`(${column}, id) >= (?, ?)`]: [owner, from], [`(${column}, id) < (?, ?)`]: [owner, before] }
}

/** The same for one account, or for all accounts when none is given, with the order that the index serves. */
export function newestOf(
  accountId: string | undefined,
  ids: { from?: string | undefined; before?: string | undefined },
) {
  if (accountId === undefined) return { filters: { 'id >= ?': ids.from, 'id < ?': ids.before }, order: 'id desc' }
  return { filters: ownedBetween('account_id', accountId, ids), order: 'account_id desc, id desc' }
}

/** The rows of one owner after an id, oldest first, from an index of both columns. */
export function oldestOf(column: string, owner: string, after: string) {
  const filters: Filters = {
    [`(${column}, id) > (?, ?)`]: [owner, after],
    [`(${column}, id) < (?, ?)`]: [owner, afterAllIds],
  }
  return { filters, order: `${column}, id` }
}

/** A search reads at most this many rows per page; the next page reads older ones. */
export const scannedMax = 5000

/**
 * The oldest of the newest rows that a page may read, where there are older ones; null where it may read all. The page
 * then has only rows from this one on, and the next page begins after it.
 */
export async function scannedTo(
  sql: Sql,
  table: string,
  { where, params, order }: { where: string; params: Param[]; order: string },
): Promise<string | null> {
  const last = await sql.one<{ count: number; oldest: string | null }>(
    `select count(*) as count, min(id) as oldest
     from (select id from ${table} ${where} order by ${order} limit ${scannedMax}) as searched`,
    params,
  )
  return last!.count === scannedMax ? last!.oldest : null
}
