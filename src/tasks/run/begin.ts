// The start of an attempt: the task moves to `generating`. Attempts that start together share a transaction.
import type { Tx } from '../../db/db.ts'
import type { SharedTransactions } from '../../db/shared-transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Job, Queue } from '../../queue/queue.ts'
import { LeaseLostError } from '../../queue/settle-job.ts'
import { workerName } from '../../queue/workers.ts'
import { beginAttempts } from '../store/attempts.ts'
import type { TaskEvents } from '../store/events.ts'
import { setGeneratingIfQueueing } from '../store/moves.ts'
import type { TaskRow } from '../store/task-row.ts'
import { releaseCrashed } from './release.ts'

interface BeginDeps {
  transactions: SharedTransactions
  queue: Queue
  clock: Clock
  events: TaskEvents
}

/** The task as it is now; null when it has ended. */
type Begin = (job: Job) => Promise<TaskRow | null>

export function createBegin(deps: BeginDeps): Begin {
  return deps.transactions.stage<Job, TaskRow | null>({
    name: 'beginnings of attempts',
    work: (tx, jobs) => beginAll(deps, tx, jobs),
    locks: ({ id }) => ({ jobId: id }),
  })
}

async function beginAll(deps: BeginDeps, tx: Tx, jobs: Job[]): Promise<(TaskRow | null | LeaseLostError)[]> {
  const nowMs = deps.clock.now()
  // A worker that was suspended and resumes here must not take the task from the job's new owner.
  const held = await deps.queue.holdsAll(tx, jobs)
  const starting = (those: Iterable<Job>) => [...those].map(({ subject, attempt }) => ({ taskId: subject, attempt }))
  const moved = await setGeneratingIfQueueing(tx, starting(held), nowMs)
  const left = [...held].filter(({ subject }) => !moved.has(subject))
  if (left.length > 0) {
    // A task that is still `generating` had a worker that crashed, and was not released yet.
    await releaseCrashed(
      deps,
      tx,
      left.map(({ subject }) => subject),
    )
    for (const [id, task] of await setGeneratingIfQueueing(tx, starting(left), nowMs)) moved.set(id, task)
  }
  await beginAttempts(
    tx,
    [...held].flatMap(({ subject, attempt, claim }) => {
      const task = moved.get(subject)
      return task ? [{ task_id: subject, number: attempt, engine: task.engine, worker: workerName, claim }] : []
    }),
    nowMs,
  )
  tx.afterCommit(() => {
    for (const id of moved.keys()) deps.events.changed(id)
  })
  return jobs.map((job) => (held.has(job) ? (moved.get(job.subject) ?? null) : new LeaseLostError()))
}
