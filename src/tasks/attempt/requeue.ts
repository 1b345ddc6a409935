// From `generating` back to `queueing`: the attempt ends, and the task waits for another one.
import type { Tx } from '../../db/db.ts'
import type { Clock } from '../../platform/clock.ts'
import type { TaskEvents } from '../events.ts'
import { endAttempts } from '../store/attempts.ts'
import { setQueueingIfGenerating } from '../store/moves.ts'
import type { Outcome } from '../store/task-row.ts'

export interface Requeued {
  taskId: string
  /** Only if this is still the task's attempt; null for any. */
  attempt: number | null
  /** The next attempt follows the submitted work instead of starting over. */
  keepHandle: boolean
  outcome: Outcome
  reason?: string | null
}

export async function requeue(deps: { clock: Clock; events: TaskEvents }, tx: Tx, tasks: Requeued[]): Promise<void> {
  const nowMs = deps.clock.now()
  const moved = await setQueueingIfGenerating(tx, tasks, nowMs)
  const ended = tasks.filter(({ taskId }) => moved.has(taskId))
  await endAttempts(
    tx,
    ended.map(({ taskId, outcome, reason }) => ({ taskId, outcome, reason: reason ?? null })),
    nowMs,
  )
  tx.afterCommit(() => {
    for (const id of moved.keys()) deps.events.changed(id)
  })
}

/** Tasks whose workers crashed; their jobs are free again. */
export const requeueCrashed = (deps: { clock: Clock; events: TaskEvents }, tx: Tx, taskIds: readonly string[]) =>
  requeue(
    deps,
    tx,
    taskIds.map((taskId) => ({ taskId, attempt: null, keepHandle: true, outcome: 'worker_crashed' })),
  )
