// The result of a task that was created through the inference endpoint.
import type { Sql } from '../db/db.ts'
import { readAttempts } from '../tasks/store/attempts.ts'
import type { TaskRow } from '../tasks/store/task-row.ts'
import { taskPayload } from './payload.ts'

/** As JSON; null while the task has not ended. */
export async function endOfTask(sql: Sql, task: TaskRow, publicUrl: string): Promise<string | null> {
  const lastAttempt = task.state === 'success' ? (await readAttempts(sql, task.id)).at(-1) : undefined
  return taskPayload(task, publicUrl, lastAttempt?.started_at ?? null)
}
