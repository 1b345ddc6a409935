// What happens to a task whose attempt failed: it waits for its engine, goes to another one, fails, or is retried. Pure.
import type { EngineError } from '../../engines/engine.ts'
import { crashesMax } from '../../queue/queue.ts'
import type { History } from '../store/attempts.ts'
import type { TaskFailure } from '../store/task-row.ts'

export const attemptsMax = 3

export const outOfAttempts: TaskFailure = {
  reason: 'engine_failed',
  message: `The video could not be generated in ${attemptsMax} attempts.`,
}

/** Crashes are counted apart: a process may crash for reasons that are not the task's. */
export const crashedTooOften: TaskFailure = {
  reason: 'internal',
  message: `The service crashed during ${crashesMax} attempts in a row to generate the video.`,
}

/** Limits the attempts of a task whose engine accepts it but is never available. */
export const unavailableMax = 50

interface FailedAttempt {
  /** Null for an error that the engine did not expect. */
  error: EngineError | null
  /** Failed claims of the job so far, without this one and without crashes. */
  failures: number
  history: History
  /** The engine that can take over the task; null when there is none. */
  successor(): string | null
}

type NextStep = { waitForEngine: true } | { handOverTo: string } | { fail: TaskFailure } | { retry: true }

export function afterFailure({ error, failures, history, successor }: FailedAttempt): NextStep {
  if (error?.unavailable && history.unavailable < unavailableMax) return { waitForEngine: true }
  const isLast = Math.max(failures, history.failedOn.length) + 1 >= attemptsMax
  const isHopelessHere = error !== null && !error.retryable
  if (!isLast && !isHopelessHere) return { retry: true }
  const other = !isLast && error?.blame === 'engine' ? successor() : null
  if (other !== null) return { handOverTo: other }
  return error ? { fail: { reason: error.reason ?? 'engine_failed', message: error.message } } : { fail: outOfAttempts }
}
