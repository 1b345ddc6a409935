// Ends a task: final state, credit hold, inputs and callback in one transaction, exactly once.
import { releaseHold, settleHold } from '../../accounts/ledger.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { Handle } from '../../engines/engine.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Job, Queue } from '../../queue/queue.ts'
import { expireTaskFiles } from '../../storage/files.ts'
import type { TaskEvents } from '../store/events.ts'
import type { TaskFailure } from '../store/failures.ts'
import { setFailIfNotFinal, setSuccessIfGenerating } from '../store/moves.ts'
import type { TaskRow } from '../store/task-row.ts'
import { settleJob } from './settle-job.ts'

export interface FinishDeps {
  queue: Queue
  events: TaskEvents
  clock: Clock
  videoTtlMs: number
  /** Called in the transaction that ends a task, with its final row. */
  onFinished(tx: Tx, task: TaskRow): Promise<void>
  /** Tells an engine that nobody waits for its work any more; not waited for. */
  stopEngine(engine: string, handle: Handle): void
}

/** What is stored of a finished video; URLs are made when the record is read. */
export interface StoredVideo {
  id: string
  video: { token: string; name: string }
  thumbnail: { token: string; name: string }
  lastFrame: { token: string; name: string }
  width: number
  height: number
  seconds: number
}

/** False when the task is not ours to finish any more. */
export async function succeedTask(
  deps: FinishDeps,
  tx: Tx,
  taskId: string,
  attempt: number,
  video: StoredVideo,
): Promise<boolean> {
  const nowMs = deps.clock.now()
  const end = { video: JSON.stringify(video), expiresAt: nowMs + deps.videoTtlMs }
  const task = await setSuccessIfGenerating(tx, taskId, attempt, end, nowMs)
  if (!task) return false
  await afterEnd(deps, tx, task, nowMs)
  await settleHold(tx, heldBy(task), nowMs)
  await deps.onFinished(tx, task)
  return true
}

/** For a task that no engine is at work on. False when it has ended already. */
export async function failTask(deps: FinishDeps, tx: Tx, taskId: string, failure: TaskFailure): Promise<boolean> {
  return (await endInFailure(deps, tx, taskId, failure)) !== null
}

/**
 * For a task that an engine may still be at work on. The engine is told here and not by the task's worker, which may be
 * dead. False when the task has ended already.
 */
export async function abandonTask(deps: FinishDeps, tx: Tx, taskId: string, failure: TaskFailure): Promise<boolean> {
  const task = await endInFailure(deps, tx, taskId, failure)
  const handle = task?.handle
  if (handle) tx.afterCommit(() => deps.stopEngine(task.engine, JSON.parse(handle)))
  return task !== null
}

async function endInFailure(deps: FinishDeps, tx: Tx, taskId: string, failure: TaskFailure): Promise<TaskRow | null> {
  const nowMs = deps.clock.now()
  const task = await setFailIfNotFinal(tx, taskId, failure, nowMs)
  if (!task) return null
  await afterEnd(deps, tx, task, nowMs)
  await releaseHold(tx, heldBy(task), nowMs)
  await deps.queue.remove(tx, taskId)
  await deps.onFinished(tx, task)
  return task
}

/** Settling the job with it keeps a worker that lost its lease from ending what another one works on. */
export async function failTaskOfJob(
  deps: FinishDeps & { db: Db },
  job: Job,
  failure: TaskFailure,
  end: typeof failTask = failTask,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await settleJob(deps.queue, tx, job)
    await end(deps, tx, job.subject, failure)
  })
}

async function afterEnd(deps: FinishDeps, tx: Tx, task: TaskRow, nowMs: number): Promise<void> {
  await tx.run('update accounts set open_tasks = open_tasks - 1 where id = ?', [task.account_id])
  await expireTaskFiles(tx, task.id, 'inputs', nowMs)
  tx.afterCommit(() => deps.events.changed(task.id))
}

function heldBy(task: TaskRow) {
  return { id: task.id, accountId: task.account_id, keyId: task.key_id, price: task.price }
}
