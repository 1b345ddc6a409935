// Stores how attempts end. While the database accepts no writes, an end waits. Otherwise the worker would seem to have
// crashed.
import { findAfterLostCommit } from '../../commit/lost-commit.ts'
import type { Db, Tx } from '../../db/db.ts'
import { retryUntilWritable } from '../../db/retry.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Job } from '../../queue/queue.ts'
import { LeaseLostError } from '../../queue/settle-job.ts'
import type { Finish, Succeeded } from '../finish/finish.ts'
import type { FindTask } from '../store/read.ts'
import type { Outcome, TaskFailure, TaskRow } from '../store/task-row.ts'

interface EndsDeps {
  db: Db
  log: Logger
  find: FindTask
  finish: Finish
  /** Aborts when this process stops. */
  stopping: AbortSignal
}

export function createEnds(deps: EndsDeps) {
  function whenWritable<T>(write: () => Promise<T>): Promise<T> {
    return retryUntilWritable(write, {
      givesUp: () => deps.stopping.aborted,
      onRetry: (error) => deps.log.warn({ err: error }, 'the end of an attempt cannot be stored; it will be retried'),
    })
  }

  function write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return whenWritable(() => deps.db.transaction(work))
  }

  /** Rejects with a LeaseLostError when another worker has the job, or when the task has ended otherwise. */
  async function succeed(job: Job, success: Succeeded): Promise<void> {
    const findStored = findAfterLostCommit<TaskRow | null>(async () => {
      const task = await deps.find(job.subject)
      return task?.state === 'success' && task.attempt === job.attempt ? task : undefined
    })
    const finish = () => deps.finish({ taskId: job.subject, job, result: { success } }).catch(findStored)
    if (!(await whenWritable(finish))) throw new LeaseLostError('the task has ended')
  }

  function fail(job: Job, failure: TaskFailure, outcome: Outcome, options: { stopsEngine?: boolean } = {}) {
    const attempt = { outcome, reason: failure.message }
    return whenWritable(() => deps.finish({ taskId: job.subject, job, result: { failure }, attempt, ...options }))
  }

  return { whenWritable, write, succeed, fail }
}
