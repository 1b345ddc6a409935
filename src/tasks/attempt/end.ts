// Stores how attempts end: with a video, with the end of the task, or with another attempt. While the database accepts no
// writes, an end waits. Otherwise the worker would seem to have crashed.
import { findAfterLostCommit } from '../../commit/lost-commit.ts'
import type { Tx } from '../../db/db.ts'
import { retryUntilWritable } from '../../db/retry.ts'
import { isWriteFailure } from '../../db/write-health.ts'
import { EngineError } from '../../engines/engine.ts'
import { formatDuration } from '../../platform/durations.ts'
import { type Job, JobLostError, lockIfClaimed, settleJob } from '../../queue/queue.ts'
import type { Succeeded } from '../finish/finish.ts'
import { generateJob } from '../store/task-jobs.ts'
import type { Outcome, TaskFailure, TaskRow } from '../store/task-row.ts'
import { afterFailure, unavailableMax } from './after-failure.ts'
import type { Attempt, AttemptDeps } from './attempt.ts'
import { handOver, successorFor } from './place.ts'
import { type Requeued, requeue } from './requeue.ts'

const unavailableDelayMs = 1000

export type Ends = ReturnType<typeof createEnds>

export function createEnds(deps: AttemptDeps) {
  function whenWritable<T>(write: () => Promise<T>): Promise<T> {
    return retryUntilWritable(write, {
      givesUp: () => deps.stopping.aborted,
      onRetry: (error) => deps.log.warn({ err: error }, 'the end of an attempt cannot be stored; it will be retried'),
    })
  }

  function write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return whenWritable(() => deps.db.transaction(work))
  }

  /** Rejects with a JobLostError when another worker has the job, or when the task has ended otherwise. */
  async function succeed(job: Job, success: Succeeded): Promise<void> {
    const findStored = findAfterLostCommit<TaskRow | null>(async () => {
      const task = await deps.find(job.subject)
      return task?.state === 'success' && task.attempt === job.attempt ? task : undefined
    })
    const finish = () => deps.finish({ taskId: job.subject, job, result: { success } }).catch(findStored)
    if (!(await whenWritable(finish))) throw new JobLostError('the task has ended')
  }

  /** Ends the task of this job. */
  async function fail(job: Job, failure: TaskFailure, outcome: Outcome, options: { stopsEngine?: boolean } = {}) {
    const attempt = { outcome, reason: failure.message }
    await whenWritable(() => deps.finish({ taskId: job.subject, job, result: { failure }, attempt, ...options }))
  }

  async function failSilent({ engine, job }: Attempt): Promise<void> {
    deps.onAttempt(engine.name, 'silent')
    deps.fleet.report(engine.name, 'failed', 'it sent no heartbeat')
    const message = `The generator sent no heartbeat for ${formatDuration(deps.upstreamSilenceMs)}.`
    await fail(job, { reason: 'upstream_silent', message }, 'silent', { stopsEngine: true })
  }

  /** Throws `thrown` when the same job runs the next attempt. */
  async function retryOrFail(attempt: Attempt, thrown: unknown): Promise<void> {
    const { engine, task, job, history } = attempt
    const error = thrown instanceof EngineError ? thrown : null
    // Checked before anything is written: a write may wait until the disk has room again.
    const waitsToStore = error?.blame !== 'task' && (isWriteFailure(thrown) || !(await deps.files.canStore()))
    if (waitsToStore) deps.log.warn({ err: thrown, task: task.id }, 'a task waits because its result cannot be stored')
    // Ending a task stops its engine, and the engine's error may arrive before the end itself.
    if (!(await write((tx) => lockIfClaimed(deps.queue, tx, job)))) return
    // Otherwise a worker whose disk is full would fail every task that it has.
    if (waitsToStore && history.unavailable < unavailableMax) {
      await queueAgain(attempt, { keepHandle: true, reason: 'the worker could not store the result' })
      return
    }
    if (error?.blame !== 'task') deps.fleet.report(engine.name, 'failed', (thrown as Error).message)
    const successor = () => successorFor(deps, attempt)
    const next = afterFailure({ error, failures: job.failures, history, successor })
    if ('waitForEngine' in next) {
      await queueAgain(attempt, { keepHandle: false })
      return
    }
    if ('fail' in next) {
      deps.log.warn({ err: thrown, task: task.id, engine: engine.name }, 'an engine failed a task')
      deps.onAttempt(engine.name, 'failed')
      await fail(job, next.fail, 'failed')
      return
    }
    deps.onAttempt(engine.name, 'retried')
    const failed = { keepHandle: false, outcome: 'failed', reason: error?.message ?? null } as const
    if ('retry' in next) {
      await write((tx) => requeueAfter(tx, attempt, failed))
      throw thrown
    }
    await write(async (tx) => {
      await settleJob(deps.queue, tx, job)
      await requeueAfter(tx, attempt, failed)
      await handOver(deps, tx, attempt, next.handOverTo)
    })
  }

  /** The attempt does not count as a failure. */
  async function queueAgain(attempt: Attempt, end: Pick<Requeued, 'keepHandle' | 'reason'>): Promise<void> {
    const { engine, task, job } = attempt
    deps.onAttempt(engine.name, 'retried')
    await write(async (tx) => {
      await settleJob(deps.queue, tx, job)
      await requeueAfter(tx, attempt, { ...end, outcome: 'unavailable' })
      const again = generateJob(task, engine.name, job.attempt)
      await deps.queue.enqueue(tx, [{ ...again, delayMs: unavailableDelayMs }])
    })
  }

  /** A stopping worker still holds its job: the task waits with it for another worker. */
  async function stop(attempt: Attempt): Promise<void> {
    await deps.db.transaction(async (tx) => {
      if (!(await lockIfClaimed(deps.queue, tx, attempt.job))) return
      await requeueAfter(tx, attempt, { keepHandle: true, outcome: 'worker_stopped' })
    })
  }

  function requeueAfter(tx: Tx, { task, job }: Attempt, end: Pick<Requeued, 'keepHandle' | 'outcome' | 'reason'>) {
    return requeue(deps, tx, [{ taskId: task.id, attempt: job.attempt, ...end }])
  }

  return { whenWritable, succeed, fail, failSilent, retryOrFail, stop }
}
