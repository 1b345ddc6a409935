// The result of a task that was created through the inference endpoint.
import type { Sql } from '../db/db.ts'
import { readAttempts } from '../tasks/store/attempts.ts'
import type { TaskRow } from '../tasks/store/task-row.ts'
import { taskPayload } from './payload.ts'

/** As JSON; null while the task has not ended. */
export async function endOfTask(sql: Sql, task: TaskRow, publicUrl: string): Promise<string | null> {
  return taskPayload(task, publicUrl, task.state === 'success' ? await generatingSince(sql, task.id) : null)
}

/** When the successful attempt began. */
async function generatingSince(sql: Sql, taskId: string): Promise<number | null> {
  return (await readAttempts(sql, taskId)).at(-1)?.started_at ?? null
}
