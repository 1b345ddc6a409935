// The `wait` state: fetches a task's input files and moves the task to its engine's queue.
import type { GroupCommit } from '../../commit/group-commit.ts'
import type { Tx } from '../../db/db.ts'
import type { Plan } from '../../engines/engine.ts'
import type { PassingFault } from '../../media/input-failure.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Job, JobHandler, Queue } from '../../queue/queue.ts'
import { crashesMax, hasCrashedTooOften, JobLostError } from '../../queue/queue.ts'
import type { FileHealth } from '../../storage/file-health.ts'
import type { TaskEvents } from '../events.ts'
import type { Finish } from '../finish/finish.ts'
import { setQueueingIfWaiting } from '../store/moves.ts'
import type { FindTask } from '../store/read.ts'
import type { HeldJob } from '../store/task-files.ts'
import { generateJob } from '../store/task-jobs.ts'
import type { TaskFailure, TaskRow } from '../store/task-row.ts'
import type { RetryLater } from './retry-later.ts'

/** Fetches, checks and stores the task's input files. Throws a TaskFailed when an input file is at fault. */
export type FetchInputs = (task: TaskRow, held: HeldJob) => Promise<Plan>

/** A failure caused by the task itself, not by the service: it ends the task, unless it may pass. */
export class TaskFailed extends Error {
  readonly failure: TaskFailure
  readonly passing: PassingFault | null
  constructor(failure: TaskFailure, { passing, ...options }: ErrorOptions & { passing?: PassingFault | null } = {}) {
    super(failure.message, options)
    this.failure = failure
    this.passing = passing ?? null
  }
}

interface PrepareDeps {
  transactions: GroupCommit
  queue: Queue
  clock: Clock
  events: TaskEvents
  find: FindTask
  finish: Finish
  fetchInputs: FetchInputs
  files: FileHealth
  retryLater: RetryLater
}

const failuresMax = 3
/** How long a task waits for another attempt when there was no room for its files. */
const storageDelayMs = 1000

export function createPrepare(deps: PrepareDeps): JobHandler {
  const queueTask = deps.transactions.stage<Prepared, undefined>({
    name: 'prepared tasks',
    work: (tx, prepared) => queueTasks(deps, tx, prepared),
    locks: ({ job }) => ({ jobOf: job.subject }),
  })

  return async (job, signal, freeSlot) => {
    const task = await deps.find(job.subject)
    if (task?.state !== 'wait') return 'done'
    const fail = (failure: TaskFailure) => deps.finish({ taskId: task.id, job, result: { failure } })
    if (job.failures >= failuresMax) {
      await fail({ reason: 'internal', message: 'The input files could not be prepared because of an internal error.' })
      return 'settled'
    }
    if (hasCrashedTooOften(job)) {
      const message = `The service crashed ${crashesMax} times in a row while it prepared the input files.`
      await fail({ reason: 'internal', message })
      return 'settled'
    }
    const retries = await deps.retryLater.retriesOf(job)
    const left = await deps.retryLater.leaveToAnother(job, retries)
    if (left !== null) return left
    try {
      const plan = await deps.fetchInputs(task, { job, signal })
      freeSlot()
      await queueTask({ job, plan: JSON.stringify(plan) })
    } catch (error) {
      if (error instanceof TaskFailed) {
        const { failure, passing } = error
        const next = passing ? await deps.retryLater.again(job, retries, { failure, passing }) : failure
        if ('end' in next) return next.end
        await fail(next)
      } else if (signal.aborted || error instanceof JobLostError || (await deps.files.canStore())) throw error
      else return { againInMs: storageDelayMs }
    }
    return 'settled'
  }
}

interface Prepared {
  job: Job
  plan: string
}

async function queueTasks(deps: PrepareDeps, tx: Tx, prepared: Prepared[]): Promise<(undefined | Error)[]> {
  const held = await deps.queue.lockClaimed(
    tx,
    prepared.map(({ job }) => job),
  )
  const ours = prepared.filter(({ job }) => held.has(job))
  const moved = await setQueueingIfWaiting(
    tx,
    ours.map(({ job, plan }) => ({ taskId: job.subject, plan })),
    deps.clock.now(),
  )
  await deps.queue.replace(
    tx,
    ours.flatMap(({ job }) => {
      const task = moved.get(job.subject)
      return task ? [{ job, by: generateJob(task, task.engine) }] : []
    }),
  )
  // The others have ended meanwhile.
  await deps.queue.complete(
    tx,
    [...held].filter(({ subject }) => !moved.has(subject)),
  )
  tx.afterCommit(() => {
    for (const id of moved.keys()) deps.events.changed(id)
  })
  return prepared.map(({ job }) => (held.has(job) ? undefined : new JobLostError()))
}
