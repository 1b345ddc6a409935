// How a task that came through the inference endpoint ended, read with what its row does not hold.
import type { Sql } from '../db/db.ts'
import type { TaskRow } from '../tasks/store/task-row.ts'
import { taskPayload } from './payload.ts'

/** As JSON; null while the task has not ended. */
export async function endOfTask(sql: Sql, task: TaskRow, publicUrl: string): Promise<string | null> {
  return taskPayload(task, publicUrl, task.state === 'success' ? await generatingSince(sql, task.id) : null)
}

/** When an engine last began with the task. */
async function generatingSince(sql: Sql, taskId: string): Promise<number | null> {
  const move = await sql.one<{ at: number | null }>(
    `select max(at) as at from task_moves where task_id = ? and state = 'generating'`,
    [taskId],
  )
  return move?.at ?? null
}
