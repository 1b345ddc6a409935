// The failures that a waiting task survived, as rows: its input files are fetched or opened again. How often and when is
// decided in tasks/prepare.

import type { Db, Sql } from '../../db/db.ts'
import type { PassingFault } from '../../media/input-failure.ts'

export interface InputRetry {
  /** From 1. */
  number: number
  failed_at: number
  worker: string
  fault: PassingFault['of']
  /** Why the attempt before it failed. */
  reason: string
  retry_at: number
}

/** In order. */
export function readInputRetries(sql: Sql, taskId: string): Promise<InputRetry[]> {
  const columns = 'number, failed_at, worker, fault, reason, retry_at'
  return sql.all(`select ${columns} from input_retries where task_id = ? order by number limit 1000`, [taskId])
}

/** Does nothing for a task that no longer waits, which may be deleted at any time. */
export async function addInputRetry(db: Db, taskId: string, retry: InputRetry): Promise<void> {
  const { number, failed_at, worker, fault, reason, retry_at } = retry
  await db.transaction(
    (tx) =>
      tx.run(
        `insert into input_retries (task_id, number, failed_at, worker, fault, reason, retry_at)
         select id, cast(? as integer), cast(? as bigint), cast(? as text), cast(? as text), cast(? as text),
           cast(? as bigint) from tasks where id = ? and state = 'wait'
         on conflict (task_id, number) do nothing`,
        [number, failed_at, worker, fault, reason, retry_at, taskId],
      ),
    { durable: false },
  )
}
