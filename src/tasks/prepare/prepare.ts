// The `wait` state: gathers a task's material and hands the task to its engine's queue.
import type { Db } from '../../db/db.ts'
import type { Plan } from '../../engines/engine.ts'
import type { JobHandler } from '../../queue/queue.ts'
import { type FinishDeps, failTaskOfJob } from '../finish/finish.ts'
import { settleJob } from '../finish/settle-job.ts'
import { generateJob } from '../run/generate-job.ts'
import type { TaskFailure } from '../store/failures.ts'
import { setQueueingIfWaiting } from '../store/moves.ts'
import { findTask } from '../store/read.ts'
import type { TaskRow } from '../store/task-row.ts'

/** Fetches, checks and stores what the task points at. Throws a TaskFailed when the material is at fault. */
export type Gather = (task: TaskRow, signal: AbortSignal) => Promise<Plan>

/** A failure that is the task's own and not ours: it ends the task at once. */
export class TaskFailed extends Error {
  readonly failure: TaskFailure
  constructor(failure: TaskFailure, options?: ErrorOptions) {
    super(failure.message, options)
    this.failure = failure
  }
}

const failuresMax = 3

export function createPrepare(deps: FinishDeps & { db: Db; gather: Gather }): JobHandler {
  return async (job, signal) => {
    const task = await findTask(deps.db, job.subject)
    if (task?.state !== 'wait') return 'done'
    if (job.failures >= failuresMax) {
      const message = 'The material could not be prepared, for a reason on our side.'
      await failTaskOfJob(deps, job, { reason: 'internal', message })
      return 'settled'
    }
    let plan: Plan
    try {
      plan = await deps.gather(task, signal)
    } catch (error) {
      if (!(error instanceof TaskFailed)) throw error
      await failTaskOfJob(deps, job, error.failure)
      return 'settled'
    }
    await deps.db.transaction(async (tx) => {
      await settleJob(deps.queue, tx, job)
      if (!(await setQueueingIfWaiting(tx, task.id, JSON.stringify(plan), deps.clock.now()))) return
      await deps.queue.enqueue(tx, [generateJob(task, task.engine)])
      tx.afterCommit(() => deps.events.changed(task.id))
    })
    return 'settled'
  }
}
