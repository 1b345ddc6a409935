// Finds tasks across accounts, for operators. A page reads a bounded number of tasks, whatever it looks for.
import type { Sql } from '../../db/db.ts'
import { filtered } from '../../db/filtered.ts'
import { firstIdAt } from '../../platform/ids.ts'
import { promptHas, searchedMax, type TaskFilter } from './read.ts'
import type { TaskRow } from './task-row.ts'

export type AllTasksFilter = Omit<TaskFilter, 'keyId'> & { accountId?: string | undefined }

/** Newest first. `searchedTo` is the oldest task that was read, where older ones may match too. */
export async function listAllTasks(
  sql: Sql,
  { accountId, sinceMs, untilMs, before, state, model, text, limit }: AllTasksFilter,
): Promise<{ rows: TaskRow[]; searchedTo: string | null }> {
  const read = filtered({
    'account_id = ?': accountId,
    'id < ?': before,
    'id >= ?': sinceMs === undefined ? undefined : firstIdAt(sinceMs),
  })
  const newest = `tasks ${read.where} order by id desc limit ${searchedMax}`
  const kept = filtered({
    'state = ?': state,
    'model = ?': model,
    'created_at >= ?': sinceMs,
    'created_at < ?': untilMs,
    [promptHas(sql)]: text,
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
