// Where a task runs: on the engine whose queue it waits in, or on another one of its model.
import type { Tx } from '../../db/db.ts'
import type { Engine, Plan } from '../../engines/engine.ts'
import { needsOf } from '../../engines/fleet/routing.ts'
import type { Job, JobEnd } from '../../queue/queue.ts'
import { settleJob } from '../../queue/queue.ts'
import type { History } from '../store/attempts.ts'
import { changeEngine } from '../store/store.ts'
import { generateJob } from '../store/task-jobs.ts'
import type { TaskRow } from '../store/task-row.ts'
import type { Attempt, AttemptDeps } from './attempt.ts'

/**
 * A task that was not submitted yet goes to another engine when this one is unhealthy, at its cap, or has failed it.
 * While no engine takes it, it waits in the queue and holds no slot. Null: it runs here.
 */
export async function placeElsewhere(
  deps: AttemptDeps,
  engine: Engine,
  job: Job,
  history: History,
): Promise<JobEnd | null> {
  // Most tasks run where they were queued at their first attempt, and need not be read to know that.
  if (job.attempt === 1 && (await deps.fleet.enter(engine.name))) return null
  const task = await deps.find(job.subject)
  if (!task?.plan || task.handle !== null) return null
  const placed = await deps.fleet.place(engine.name, routed(task, history))
  if ('againInMs' in placed) return placed
  if (placed.engine === engine.name) return null
  await deps.db.transaction(async (tx) => {
    await settleJob(deps.queue, tx, job)
    await handOver(deps, tx, { engine, task, job }, placed.engine)
  })
  return 'settled'
}

/** Queues a waiting task, whose job is settled, for another engine. */
export async function handOver(
  { queue }: AttemptDeps,
  tx: Tx,
  { engine, task, job }: Pick<Attempt, 'engine' | 'task' | 'job'>,
  target: string,
): Promise<void> {
  const isChanged = await changeEngine(tx, task.id, { from: engine.name, to: target })
  if (isChanged) await queue.enqueue(tx, [generateJob(task, target, job.attempt)])
}

/** The engine that takes over a task that its engine must not get again; null when there is none. */
export function successorFor({ fleet }: AttemptDeps, { engine, task, history }: Attempt): string | null {
  return fleet.successor(engine.name, routed(task, history))
}

function routed({ model, plan }: TaskRow, { failedOn }: History) {
  return { model, needs: needsOf(JSON.parse(plan!) as Plan), failedOn }
}
