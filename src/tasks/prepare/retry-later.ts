// What becomes of a task whose input files failed in a way that may pass: its job is put back, preferably for another
// worker, until the patience is used up. When and how often is decided in patience.ts.
import { endOfLine } from '../../accounts/standing.ts'
import type { Db } from '../../db/db.ts'
import type { PassingFault } from '../../media/input-failure.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Job, JobEnd } from '../../queue/queue.ts'
import { lanesOfOthers, workerName } from '../../queue/workers.ts'
import { addInputRetry, type InputRetry, readInputRetries } from '../store/input-retries.ts'
import type { TaskFailure } from '../store/task-row.ts'
import { effortOf, retryInMs } from './patience.ts'

interface RetryDeps {
  db: Db
  clock: Clock
  fetchPatienceMs: number
  /** A retry was planned. */
  onRetry(fault: PassingFault['of']): void
}

export interface RetryLater {
  /** The retries of this task before this claim of its job. */
  retriesOf(job: Job): Promise<InputRetry[]>
  /** Puts the job back when this worker was the last to fail and another one may take it; null: work on it here. */
  leaveToAnother(job: Job, retries: readonly InputRetry[]): Promise<JobEnd | null>
  /** Puts the job back, or returns the failure that ends the task. */
  again(job: Job, retries: readonly InputRetry[], failed: PassingFailure): Promise<{ end: JobEnd } | TaskFailure>
}

interface PassingFailure {
  failure: TaskFailure
  passing: PassingFault
}

/** For how long a due job is left to the other workers. If all of them are busy, the worker that failed takes it again. */
const leftToOthersMs = 3000
const lookAgainMs = 500

export function createRetryLater({ db, clock, fetchPatienceMs, onRetry }: RetryDeps): RetryLater {
  return {
    // Its earlier attempts were counted as claims, so the usual first claim needs no query.
    retriesOf: async (job) => (job.attempt > 1 ? readInputRetries(db, job.subject) : []),

    async leaveToAnother(job, retries) {
      const last = retries.at(-1)
      const nowMs = clock.now()
      if (last?.worker !== workerName || nowMs > last.retry_at + leftToOthersMs) return null
      const others = await lanesOfOthers(db, job.queue, nowMs)
      return others.some(({ paused }) => !paused) ? { againInMs: lookAgainMs } : null
    },

    async again(job, retries, { failure, passing }) {
      const nowMs = clock.now()
      const fault = { ...passing, retries, nowMs, random: Math.random() }
      const againInMs = retryInMs(fault, fetchPatienceMs)
      if (againInMs === null) return { ...failure, message: failure.message + effortOf(fault) }
      await addInputRetry(db, job.subject, {
        number: retries.length + 1,
        failed_at: nowMs,
        worker: workerName,
        fault: passing.of,
        reason: failure.message,
        retry_at: nowMs + againInMs,
      })
      onRetry(passing.of)
      // Behind the account's other tasks, so that a host that hangs delays none of them again and again.
      const order = await endOfLine(db, job.owner)
      return { end: { againInMs, isAttempt: true, order } }
    },
  }
}
