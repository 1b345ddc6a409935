// Finds tasks across accounts, for operators. A page reads a bounded number of tasks, whatever it looks for.
import type { Sql } from '../../db/db.ts'
import { filtered, ownedBetween } from '../../db/filtered.ts'
import { idsBetween, promptHas, searchedMax, type TaskFilter } from './read.ts'
import type { TaskRow } from './task-row.ts'

export type AllTasksFilter = Omit<TaskFilter, 'keyId'> & { accountId?: string | undefined }

/** Newest first. `searchedTo` is the oldest task that was read, where older ones may match too. */
export async function listAllTasks(
  sql: Sql,
  { accountId, state, model, text, limit, ...times }: AllTasksFilter,
): Promise<{ rows: TaskRow[]; searchedTo: string | null }> {
  const ids = idsBetween(times)
  const read = filtered(
    accountId === undefined
      ? { 'id >= ?': ids.from, 'id < ?': ids.before }
      : ownedBetween('account_id', accountId, ids),
  )
  const order = accountId === undefined ? 'id desc' : 'account_id desc, id desc'
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
  const last = await sql.one<{ count: number; oldest: string | null }>(
    `select count(*) as count, min(id) as oldest from (select id from ${newest}) as searched`,
    read.params,
  )
  return { rows, searchedTo: last!.count === searchedMax ? last!.oldest : null }
}
