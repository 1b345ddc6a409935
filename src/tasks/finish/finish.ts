// The end of a task: everything that happens then, in one transaction, exactly once. Ends of many tasks share
// transactions.
import { endHolds } from '../../accounts/ledger.ts'
import { forget } from '../../admission/idempotency.ts'
import type { GroupCommit } from '../../commit/group-commit.ts'
import type { DeliveredVideo } from '../../contract/tasks/records.ts'
import type { Tx } from '../../db/db.ts'
import type { Handle } from '../../engines/engine.ts'
import type { Clock } from '../../platform/clock.ts'
import { waitForAll } from '../../platform/wait-for-all.ts'
import type { Job, Queue } from '../../queue/queue.ts'
import { JobLostError } from '../../queue/queue.ts'
import { expireTaskFiles } from '../../storage/files.ts'
import type { TaskEvents } from '../events.ts'
import { endAttempts } from '../store/attempts.ts'
import { setFailIfNotFinal, setSuccessIfGenerating } from '../store/moves.ts'
import { fileTokensOf, type Outcome, type StoredVideo, type TaskFailure, type TaskRow } from '../store/task-row.ts'

interface FinishDeps {
  queue: Queue
  events: TaskEvents
  clock: Clock
  /** Stores the callbacks of ended tasks, and their jobs. */
  queueCallbacks(tx: Tx, tasks: TaskRow[]): Promise<void>
  /** For metrics; called once the end is durable. */
  observe(tasks: TaskRow[]): void
  /** Asks an engine to stop its work on a task, without waiting for it. */
  stopEngine(engine: string, handle: Handle): void
}

export interface Succeeded {
  video: StoredVideo
  delivered: DeliveredVideo
  /** When the stored files expire. */
  expiresAt: number
  /** JSON of what the engine read from the prompt, if it reported that. */
  understood: string | null
}

export interface End {
  taskId: string
  /** The worker's job, which it must still hold. Null: the task is ended from outside, and its jobs are deleted. */
  job: Job | null
  result: { success: Succeeded } | { failure: TaskFailure }
  /** The outcome of the running attempt, if there is one. */
  attempt?: { outcome: Outcome; reason: string | null }
  /** The engine may still be working on the task. */
  stopsEngine?: boolean
  /** The client may send the request again with the same idempotency key. */
  isRepeatable?: boolean
}

/** The task as it ended; null when it had already ended. A JobLostError when another worker has the job now. */
export type Ended = TaskRow | null | JobLostError

/** Everything that happens when tasks end. */
async function finishTasks(deps: FinishDeps, tx: Tx, ends: End[]): Promise<Ended[]> {
  const nowMs = deps.clock.now()
  const ours = await settleJobs(deps, tx, ends)
  const ended = await setFinalState(tx, ours, nowMs)
  const tasks = [...ended.values()]
  const finished = ours.filter(({ taskId }) => ended.has(taskId))
  const attempted = finished.filter(({ taskId }) => ended.get(taskId)!.attempt > 0)
  const ids = tasks.map(({ id }) => id)
  const repeatable = finished.filter(({ isRepeatable }) => isRepeatable).map(({ taskId }) => taskId)
  const calledBack = tasks.filter((task) => task.callback_url !== null)
  await waitForAll([
    endAttempts(tx, attempted.map(attemptEnd), nowMs),
    endHolds(tx, tasks.map(endedHold), nowMs),
    // Input files, and results that an earlier attempt left.
    expireTaskFiles(tx, ids, finished.flatMap(videoTokens), nowMs),
    forget(tx, repeatable),
    deps.queueCallbacks(tx, calledBack),
  ])
  tx.afterCommit(() => {
    for (const { id } of tasks) deps.events.changed(id)
    deps.observe(tasks)
    for (const { taskId, stopsEngine } of finished) {
      const { engine, handle } = ended.get(taskId)!
      if (stopsEngine && handle) deps.stopEngine(engine, JSON.parse(handle))
    }
  })
  return ends.map((end) => (ours.includes(end) ? (ended.get(end.taskId) ?? null) : new JobLostError()))
}

/** Keeps the ends that count: a worker that lost its job must not end a task that another worker runs. */
async function settleJobs({ queue }: FinishDeps, tx: Tx, ends: End[]): Promise<End[]> {
  const completed = await queue.complete(
    tx,
    ends.flatMap(({ job }) => (job ? [job] : [])),
  )
  const ours = ends.filter(({ job }) => job === null || completed.has(job))
  // Also deletes the jobs of tasks that a worker ends: a failed task has no work left.
  await queue.remove(
    tx,
    ours.flatMap(({ taskId, result }) => ('failure' in result ? [taskId] : [])),
  )
  return ours
}

async function setFinalState(tx: Tx, ends: End[], nowMs: number): Promise<Map<string, TaskRow>> {
  const successes = ends.flatMap(({ taskId, job, result }) => ('success' in result ? [{ taskId, job, ...result }] : []))
  const succeeded = await setSuccessIfGenerating(
    tx,
    successes.map(({ taskId, job, success: { video, delivered, understood, expiresAt } }) => ({
      taskId,
      attempt: job!.attempt,
      video: JSON.stringify(video),
      delivered: JSON.stringify(delivered),
      understood,
      expiresAt,
    })),
    nowMs,
  )
  // The worker holds the job, so nothing else may have moved the task. Throwing keeps the job.
  for (const { taskId } of successes) {
    if (!succeeded.has(taskId)) throw new JobLostError(`the task ${taskId} is not of this attempt any more`)
  }
  const failures = ends.flatMap(({ taskId, result }) => ('failure' in result ? [{ taskId, ...result }] : []))
  return new Map([...succeeded, ...(await setFailIfNotFinal(tx, failures, nowMs))])
}

function attemptEnd({ taskId, result, attempt }: End) {
  const end = attempt ?? {
    outcome: 'success' in result ? ('succeeded' as const) : ('task_ended' as const),
    reason: null,
  }
  return { taskId, ...end }
}

function endedHold({ id, account_id, key_id, price, state }: TaskRow) {
  const end = state === 'success' ? ('settle' as const) : ('release' as const)
  return { id, accountId: account_id, keyId: key_id, price, end }
}

const videoTokens = ({ result }: End) => ('failure' in result ? [] : fileTokensOf(result.success.video))

/**
 * Ends one task, in a transaction shared with others that end at about the same time. Rejects when the job was lost.
 */
export type Finish = (end: End) => Promise<TaskRow | null>

export function createFinish(deps: FinishDeps & { transactions: GroupCommit }): Finish {
  return deps.transactions.stage<End, TaskRow | null>({
    name: 'ends of tasks',
    work: (tx, ends) => finishInTurn(deps, tx, ends),
    locks: ({ job, taskId, result }) => ({
      jobOf: job || 'failure' in result ? taskId : undefined,
      taskId: job ? undefined : taskId,
    }),
  })
}

/** Two ends of one task, such as its success and its cancellation, are decided in order. */
async function finishInTurn(deps: FinishDeps, tx: Tx, ends: End[]): Promise<Ended[]> {
  const ended = new Map<End, Ended>()
  for (let left = ends; left.length > 0; left = left.filter((end) => !ended.has(end))) {
    const round = [...new Map(left.toReversed().map((end) => [end.taskId, end])).values()]
    const results = await finishTasks(deps, tx, round)
    for (const [i, end] of round.entries()) ended.set(end, results[i]!)
  }
  return ends.map((end) => ended.get(end)!)
}
