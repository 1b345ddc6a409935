// Tasks that wait for an engine that was removed from the configuration. They move to another engine of their model;
// those that none can take fail now instead of at the queue's time-out.
import type { Db } from '../../db/db.ts'
import type { Fleet } from '../../engines/fleet/fleet.ts'
import type { Catalogue } from '../../models/catalogue.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queue } from '../../queue/queue.ts'
import { liveWorkers } from '../../queue/workers.ts'
import { requeueCrashed } from '../attempt/requeue.ts'
import type { TaskEvents } from '../events.ts'
import type { Finish } from '../finish/finish.ts'
import { findTask } from '../store/read.ts'
import { changeEngine } from '../store/store.ts'
import { generateJob, generateQueue } from '../store/task-jobs.ts'
import { requestOf, type TaskRow } from '../store/task-row.ts'
import { chooseEngine } from '../submit.ts'

interface RemovedEngineDeps {
  db: Db
  queue: Queue
  clock: Clock
  events: TaskEvents
  finish: Finish
  fleet: Fleet
  catalogue: Catalogue
}

const batchMax = 500

/**
 * While servers and workers are being replaced, some know an engine that others do not. So a task is reassigned
 * only when it has been due for this long and no live worker serves its queue.
 */
const dueForMs = 60_000

export async function reassignFromRemovedEngines(deps: RemovedEngineDeps): Promise<number> {
  const nowMs = deps.clock.now()
  const served = (await liveWorkers(deps.db, nowMs)).map(({ queue }) => queue)
  const unserved = await deps.queue.unserved({
    prefix: generateQueue(''),
    served: [...served, ...deps.fleet.engines().map(({ engine }) => generateQueue(engine.name))],
    dueBeforeMs: nowMs - dueForMs,
    limit: batchMax,
  })
  for (const id of unserved) {
    const task = await findTask(deps.db, id)
    if (task) await reassign(deps, task)
  }
  return unserved.length
}

type Reassignment = { engine: string } | { none: string } | 'later'

function reassignmentOf(deps: RemovedEngineDeps, task: TaskRow): Reassignment {
  if (deps.catalogue.get(task.model) === undefined) return { none: `The model ${task.model} is not served any more.` }
  const { engine, refusal } = chooseEngine(deps.fleet, task.model, requestOf(task))
  if (refusal === null) return { engine }
  // An engine that is only unhealthy takes the task in a later round.
  return refusal.reason === 'generator_unreachable' ? 'later' : { none: refusal.message }
}

async function reassign(deps: RemovedEngineDeps, task: TaskRow): Promise<void> {
  const next = reassignmentOf(deps, task)
  if (next === 'later') return
  if ('none' in next) {
    const failure = { reason: 'engine_failed', message: next.none } as const
    await deps.finish({ taskId: task.id, job: null, result: { failure }, stopsEngine: true })
    return
  }
  await deps.db.transaction(async (tx) => {
    await deps.queue.lock(tx, [task.id])
    // The queue has no worker left that would notice that the task's worker crashed.
    await requeueCrashed(deps, tx, [task.id])
    if (!(await changeEngine(tx, task.id, { from: task.engine, to: next.engine }))) return
    await deps.queue.remove(tx, [task.id])
    await deps.queue.enqueue(tx, [generateJob(task, next.engine)])
  })
}
