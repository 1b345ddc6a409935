// Finds tasks across accounts, for operators. A page reads a bounded number of tasks, whatever it looks for.
import type { Sql } from '../../db/db.ts'
import { filtered, newestOf, searchedMax, searchedTo } from '../../db/filtered.ts'
import { idsBetween, promptHas, type TaskFilter } from './read.ts'
import type { TaskRow } from './task-row.ts'

export type AllTasksFilter = Omit<TaskFilter, 'keyId'> & { accountId?: string }

/** Newest first. `searchedTo` is the oldest task that was read, where older ones may match too. */
export async function listAllTasks(
  sql: Sql,
  { accountId, state, model, text, limit, ...times }: AllTasksFilter,
): Promise<{ rows: TaskRow[]; searchedTo: string | null }> {
  const { filters, order } = newestOf(accountId, idsBetween(times))
  const read = filtered(filters)
  const newest = `tasks ${read.where} order by ${order} limit ${searchedMax}`
  const kept = filtered({
    'state = ?': state,
    'model = ?': model,
    'created_at >= ?': times.sinceMs,
    'created_at < ?': times.untilMs,
    [promptHas(sql)]: text?.toLowerCase(),
  })
  const rows = await sql.all<TaskRow>(
    `select * from (select * from ${newest}) as searched ${kept.where} order by id desc limit ?`,
    [...read.params, ...kept.params, limit],
  )
  return { rows, searchedTo: await searchedTo(sql, newest, read.params) }
}
