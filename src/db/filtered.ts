// The `where` of a list whose filters are known only at run time. There is one statement text for each set of filters,
// never for their values, so that each text is prepared once.
import type { Param } from './db.ts'

/** `filters`: a condition with one `?` → its value, or undefined to leave it out. `implied` conditions have no value. */
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
