// Finds tasks across accounts, for operators. A page reads a bounded number of tasks, whatever it looks for.
import type { Sql } from '../../db/db.ts'
import { newestOf, scannedTo, whereClause } from '../../db/where-clause.ts'
import { idOr, idsBetween, promptHas, stateIs, type TaskFilter } from './read.ts'
import type { TaskRow } from './task-row.ts'

export type AllTasksFilter = Omit<TaskFilter, 'keyId'> & { accountId?: string }

/** Newest first. `scannedTo` is the oldest task that was read, where older ones may match too. */
export async function listAllTasks(
  sql: Sql,
  { accountId, state, model, text, limit, ...times }: AllTasksFilter,
): Promise<{ rows: TaskRow[]; scannedTo: string | null }> {
  const ids = idsBetween(times)
  const { filters, order } = newestOf(accountId, ids)
  const oldest = await scannedTo(sql, 'tasks', { ...whereClause(filters), order })
  const { where, params } = whereClause({
    ...newestOf(accountId, { ...ids, from: oldest ?? ids.from }).filters,
    ...stateIs(state),
    'model = ?': model,
    'created_at >= ?': times.sinceMs,
    'created_at < ?': times.untilMs,
    ...(text === undefined ? {} : idOr(text.toLowerCase(), promptHas(sql))),
  })
  const rows = await sql.all<TaskRow>(`select * from tasks ${where} order by ${order} limit ?`, [...params, limit])
  return { rows, scannedTo: rows.length === limit ? null : oldest }
}
