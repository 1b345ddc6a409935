// Stores how attempts end. While the database accepts no writes, an end waits. Otherwise the worker would seem to have
// crashed.
import { CommitUnknown, type Db, type Tx } from '../../db/db.ts'
import { untilWritten } from '../../db/until-written.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Job } from '../../queue/queue.ts'
import { LeaseLostError } from '../../queue/settle-job.ts'
import type { Finish, Succeeded } from '../finish/finish.ts'
import type { FindTask } from '../store/read.ts'
import type { Outcome, TaskFailure } from '../store/task-row.ts'

interface EndsDeps {
  db: Db
  log: Logger
  find: FindTask
  finish: Finish
  /** Aborts when this process stops. */
  stopping: AbortSignal
}

export function createEnds(deps: EndsDeps) {
  function patiently<T>(write: () => Promise<T>): Promise<T> {
    return untilWritten(write, {
      givesUp: () => deps.stopping.aborted,
      onFailure: (error) => deps.log.warn({ err: error }, 'the end of an attempt cannot be stored; it will be retried'),
    })
  }

  function write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return patiently(() => deps.db.transaction(work))
  }

  /** Rejects with a LeaseLostError when another worker has the job, or when the task has ended otherwise. */
  async function succeed(job: Job, success: Succeeded): Promise<void> {
    let mayBeStored = false
    const finish = async () => {
      try {
        return await deps.finish({ taskId: job.subject, job, result: { success } })
      } catch (error) {
        mayBeStored ||= error instanceof CommitUnknown
        // An end that was stored has settled the job.
        const task = mayBeStored && error instanceof LeaseLostError ? await deps.find(job.subject) : undefined
        if (task?.state === 'success' && task.attempt === job.attempt) return task
        throw error
      }
    }
    if (!(await patiently(finish))) throw new LeaseLostError('the task has ended')
  }

  function fail(job: Job, failure: TaskFailure, outcome: Outcome, options: { stopsEngine?: boolean } = {}) {
    const attempt = { outcome, reason: failure.message }
    return patiently(() => deps.finish({ taskId: job.subject, job, result: { failure }, attempt, ...options }))
  }

  return { patiently, write, succeed, fail }
}
