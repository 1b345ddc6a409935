// What becomes of a task whose input files failed in a way that may pass: its job is put back, preferably for another
// worker, until the patience is used up.
import { endOfLine } from '../../accounts/locked-balances.ts'
import type { Db } from '../../db/db.ts'
import type { PassingFault } from '../../media/input-failure.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Job, JobEnd } from '../../queue/queue.ts'
import { lanesOfOthers, workerName } from '../../queue/workers.ts'
import { addInputRetry, type InputRetry, readInputRetries } from '../store/input-retries.ts'
import type { TaskFailure } from '../store/task-row.ts'

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

interface Fault extends PassingFault {
  /** The retries so far. */
  retries: readonly Pick<InputRetry, 'fault' | 'failed_at'>[]
  nowMs: number
  /** From 0 to 1: the position of the delay within ±20 %, so that the tasks of one host are not all retried at once. */
  random: number
}

/** The last one is repeated. A server that is away for a while is not asked more often. */
const fetchDelaysMs = [1000, 2000, 4000, 8000, 15_000]
/** Even where these take longer than the patience: each may have waited for a server that hangs. */
const fetchAttemptsMin = 3
/** A file that crashes every process that opens it crashes no more than this many. */
const childDelaysMs = [1000, 2000]
const spread = 0.2

/** Pure: milliseconds until the next attempt; null when the failure is final. */
export function retryInMs(fault: Fault, patienceMs: number): number | null {
  const attempts = attemptsOf(fault)
  const spreadOf = (ms: number) => Math.round(ms * (1 - spread + 2 * spread * fault.random))
  if (fault.of === 'child') {
    const delayMs = childDelaysMs[attempts - 1]
    return delayMs === undefined ? null : spreadOf(delayMs)
  }
  if (patienceMs === 0) return null
  // A short patience has short delays, so that its attempts fit into it.
  const plannedMs = spreadOf(Math.min(fetchDelaysMs[attempts - 1] ?? fetchDelaysMs.at(-1)!, patienceMs / 4))
  const leftMs = patienceMs - elapsedMs(fault)
  if (leftMs < plannedMs && attempts >= fetchAttemptsMin) return null
  // A server that asks for more time than is left gets what is left.
  return Math.min(Math.max(plannedMs, fault.retryAfterMs ?? 0), Math.max(plannedMs, leftMs))
}

/** The number of attempts and the time that they took, for the message of a task that fails in the end. */
export function effortOf(fault: Fault): string {
  const attempts = attemptsOf(fault)
  if (attempts === 1) return ''
  return ` It was tried ${attempts} times within ${Math.max(1, Math.round(elapsedMs(fault) / 1000))} s.`
}

const attemptsOf = ({ of, retries }: Fault) => retries.filter(({ fault }) => fault === of).length + 1

function elapsedMs({ of, retries, nowMs }: Fault): number {
  const first = retries.find(({ fault }) => fault === of)
  return first ? Math.max(0, nowMs - first.failed_at) : 0
}
