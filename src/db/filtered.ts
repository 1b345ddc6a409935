// Builds the `where` clause of a list with optional filters. The text depends only on which filters are set, never on
// their values, so that each text is prepared once.
import type { Param } from './db.ts'

/** `filters` maps a condition with one `?` to its value; undefined omits it. `implied` conditions take no value. */
export function filtered(
  filters: Record<string, Param | undefined>,
  implied: readonly string[] = [],
): { where: string; params: Param[] } {
  const given = Object.entries(filters).flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  const conditions = [...given.map(({ sql }) => sql), ...implied]
  return {
    where: conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`,
    params: given.map(({ value }) => value),
  }
}
