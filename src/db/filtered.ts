// Builds the `where` clause of a list with optional filters. The text depends only on which filters are set, never on
// their values, so that each text is prepared once.
import type { Param } from './db.ts'

/** Maps a condition to the value of its `?`, or the values where it has many; undefined omits it. */
type Filters = Record<string, Param | readonly Param[] | undefined>

/** `implied` conditions take no value. */
export function filtered(filters: Filters, implied: readonly string[] = []): { where: string; params: Param[] } {
  const given = Object.entries(filters).flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  const conditions = [...given.map(({ sql }) => sql), ...implied]
  return {
    where: conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`,
    params: given.flatMap(({ value }) => value),
  }
}

/** Sort before and after every id. */
const [noId, pastIds] = ['', 'z']

/**
 * The rows of one owner with ids from `from` on and before `before`, for `order by ${column} desc, id desc`. Pairs are
 * compared because only an index of both columns serves that. With `account_id = ?`, PostgreSQL may prefer to walk the
 * primary key, through the rows of all other accounts.
 */
export function ownedBetween(
  column: string,
  owner: string,
  { from = noId, before = pastIds }: { from?: string | undefined; before?: string | undefined },
): Filters {
  return { [`(${column}, id) >= (?, ?)`]: [owner, from], [`(${column}, id) < (?, ?)`]: [owner, before] }
}
