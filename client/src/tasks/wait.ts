// Waits for the end of a task: by its event stream, which is reopened when it breaks, or by polling
// where streams do not get through. Only the task id is needed, so waiting can start again at any time.
import type { TaskRecord } from '../contract.ts'
import { DailiesError, TaskFailed } from '../errors.ts'
import { isFinal } from '../records.ts'
import { asError } from '../transport/answers.ts'
import type { Connection } from '../transport/connection.ts'
import { eventsOf } from '../transport/event-stream.ts'
import { delayBeforeRetry, isRetryable, retryAfterMsMax } from '../transport/retry.ts'
import { pause } from '../transport/time-limit.ts'
import { createPace, type TaskProgress } from './pace.ts'

export interface WaitOptions {
  /** Called with the record whenever its state, progress or place in the queue has changed. */
  onProgress?: ((progress: TaskProgress) => void) | undefined
  signal?: AbortSignal | undefined
  /** How long the service may be unreachable before waiting gives up; 5 minutes by default. */
  unreachableMs?: number
}

const unreachableMsDefault = 300_000
const streamFailuresMax = 3
const askEveryMs = 2000

/** The record of a successful task. A task that fails is a TaskFailed. */
export async function waitForTask(
  connection: Connection,
  taskId: string,
  options: WaitOptions = {},
): Promise<TaskRecord> {
  const report = createReporter(options.onProgress)
  // An error of `onProgress` ends the loop: only those of the connection are retried.
  for await (const record of recordsOf(connection, taskId, options)) {
    report(record)
    if (isFinal(record)) return ended(record)
  }
  throw new Error('the records of a task do not end before it does')
}

/** The task's records as they arrive, without an end of their own. Throws errors that waiting cannot resolve. */
async function* recordsOf(
  connection: Connection,
  taskId: string,
  { signal, unreachableMs = unreachableMsDefault }: WaitOptions,
): AsyncGenerator<TaskRecord> {
  let failures = 0
  let streamFailures = 0
  let unreachableSinceMs: number | null = null
  /** How long the service has asked for, with its last refusal. */
  let retryAfterMs: number | null = null

  function heard(record: TaskRecord): TaskRecord {
    failures = 0
    unreachableSinceMs = null
    retryAfterMs = null
    return record
  }

  function missed(error: unknown): void {
    const failure = asError(error, signal, null)
    if (!(failure instanceof DailiesError) || !isRetryable(failure, 'always')) throw failure
    failures++
    retryAfterMs = failure.retryAfterMs && Math.min(failure.retryAfterMs, retryAfterMsMax)
    // Not since the last record: a task may stay as it is for hours while its stream is open.
    unreachableSinceMs ??= Date.now()
    if (Date.now() - unreachableSinceMs > unreachableMs) throw failure
  }

  for (;;) {
    signal?.throwIfAborted()
    let isStreamed = false
    try {
      if (streamFailures < streamFailuresMax) {
        const path = `/api/v1/jobs/events?taskId=${encodeURIComponent(taskId)}`
        for await (const { event, data } of eventsOf(connection, path, signal)) {
          if (event === 'open') continue
          isStreamed = true
          yield heard(JSON.parse(data) as TaskRecord)
        }
      }
    } catch (error) {
      missed(error)
    }
    try {
      const call = { method: 'GET', path: '/api/v1/jobs/recordInfo', query: { taskId }, retries: 0, signal } as const
      yield heard(await connection.call<TaskRecord>(call))
      // A broken stream counts against streams only if the service responds to other requests.
      streamFailures = isStreamed ? 0 : streamFailures + 1
    } catch (error) {
      missed(error)
    }
    const asks = streamFailures >= streamFailuresMax && failures === 0
    await pause(asks ? askEveryMs : delayBeforeRetry(Math.max(1, failures), retryAfterMs, Math.random())!, signal)
  }
}

function ended(record: TaskRecord): TaskRecord {
  if (record.state === 'fail') throw new TaskFailed(record)
  return record
}

function createReporter(onProgress: WaitOptions['onProgress']) {
  const pace = createPace()
  let reported = ''
  return (record: TaskRecord) => {
    const timeLeftMs = pace(record, Date.now())
    const state = JSON.stringify([record.state, record.progress, record.queuePosition])
    if (!onProgress || state === reported) return
    reported = state
    onProgress({ ...record, timeLeftMs })
  }
}
