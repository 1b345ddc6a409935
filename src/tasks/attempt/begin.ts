// The start of an attempt: the task moves to `generating`. The first attempts of tasks begin in the transaction that claims
// their jobs, others in one that they share.
import type { Tx } from '../../db/db.ts'
import type { Job } from '../../queue/queue.ts'
import { JobLostError } from '../../queue/queue.ts'
import { workerName } from '../../queue/workers.ts'
import { beginAttempts } from '../store/attempts.ts'
import { setGeneratingIfQueueing } from '../store/moves.ts'
import type { TaskRow } from '../store/task-row.ts'
import type { AttemptDeps } from './attempt.ts'
import { requeueCrashed } from './requeue.ts'

export function createBegin(deps: AttemptDeps) {
  const begunAtClaim = new WeakMap<Job, TaskRow>()
  return {
    /** The task as it is now; null when it has ended. */
    now: deps.transactions.stage<Job, TaskRow | null>({
      name: 'beginnings of attempts',
      work: (tx, jobs) => beginAll(deps, tx, jobs),
      locks: ({ subject }) => ({ jobOf: subject }),
    }),
    /** Begins the first attempts of waiting tasks. */
    async onClaim(tx: Tx, jobs: readonly Job[]): Promise<void> {
      const first = jobs.filter(({ attempt }) => attempt === 1)
      const begun = await beginWaiting(deps, tx, first)
      tx.afterCommit(() => {
        for (const job of first) {
          const task = begun.get(job.subject)
          if (task) begunAtClaim.set(job, task)
        }
      })
    },
    /** The task, if its attempt began when its job was claimed. */
    atClaim: (job: Job) => begunAtClaim.get(job),
  }
}

/** Begins the attempts of those tasks that wait. The caller holds their jobs. */
async function beginWaiting(deps: AttemptDeps, tx: Tx, held: readonly Job[]): Promise<Map<string, TaskRow>> {
  const nowMs = deps.clock.now()
  const starts = held.map(({ subject, attempt }) => ({ taskId: subject, attempt }))
  const moved = await setGeneratingIfQueueing(tx, starts, nowMs)
  await beginAttempts(
    tx,
    held.flatMap(({ subject, attempt, claim }) => {
      const task = moved.get(subject)
      return task ? [{ task_id: subject, number: attempt, engine: task.engine, worker: workerName, claim }] : []
    }),
    nowMs,
  )
  tx.afterCommit(() => {
    for (const id of moved.keys()) deps.events.changed(id)
  })
  return moved
}

async function beginAll(deps: AttemptDeps, tx: Tx, jobs: Job[]): Promise<(TaskRow | null | JobLostError)[]> {
  // A worker that was suspended and resumes here must not take the task from the job's new owner.
  const held = await deps.queue.lockClaimed(tx, jobs)
  const begun = await beginWaiting(deps, tx, [...held])
  const left = [...held].filter(({ subject }) => !begun.has(subject))
  if (left.length > 0) {
    // A task that is still `generating` had a worker that crashed, and was not released yet.
    const leftIds = left.map(({ subject }) => subject)
    await requeueCrashed(deps, tx, leftIds)
    for (const [id, task] of await beginWaiting(deps, tx, left)) begun.set(id, task)
  }
  return jobs.map((job) => (held.has(job) ? (begun.get(job.subject) ?? null) : new JobLostError()))
}
