// Tasks that wait for an engine which is gone from the configuration: another engine of their model gets them, and those
// that none can take end now instead of at the queue's time-out.
import { type Db, inList } from '../../db/db.ts'
import type { VideoOrder } from '../../models/model.ts'
import { liveWorkers } from '../../queue/workers.ts'
import type { EngineChoice } from '../admission/engine-choice.ts'
import { abandonTask, type FinishDeps } from '../finish/finish.ts'
import { giveBack } from '../run/generate.ts'
import { generateJob, generateQueue } from '../run/generate-job.ts'
import { findTask } from '../store/read.ts'
import type { TaskRow } from '../store/task-row.ts'

export interface OrphanDeps extends FinishDeps {
  db: Db
  /** Names of the engines that there are. */
  engines(): string[]
  /** Whether there still is such a model. */
  hasModel(model: string): boolean
  engineFor(model: string, order: VideoOrder): EngineChoice
}

const batchMax = 500

/**
 * While servers and workers are replaced one after the other, some know an engine that others do not. So a task is an
 * orphan only when it has been due for this long and no live worker has its queue.
 */
const dueForMs = 60_000

export async function rehomeOrphans(deps: OrphanDeps): Promise<number> {
  const nowMs = deps.clock.now()
  const served = (await liveWorkers(deps.db, nowMs)).map(({ queue }) => queue)
  const orphans = await deps.db.all<{ subject: string }>(
    `select subject from jobs where queue > 'generate:' and queue < 'generate;' and lease_until is null and run_at <= ?
     and not ${inList(deps.db, 'queue')} limit ?`,
    [nowMs - dueForMs, JSON.stringify([...served, ...deps.engines().map(generateQueue)]), batchMax],
  )
  for (const { subject } of orphans) {
    const task = await findTask(deps.db, subject)
    if (task) await rehome(deps, task)
  }
  return orphans.length
}

type Home = { engine: string } | { none: string } | 'later'

function homeOf(deps: OrphanDeps, { model, video_order }: TaskRow): Home {
  if (!deps.hasModel(model)) return { none: `The model ${model} is not served any more.` }
  const { engine, refusal } = deps.engineFor(model, JSON.parse(video_order))
  if (refusal === null) return { engine }
  // An engine that is only ill takes it in a later round.
  return refusal.code === 408 ? 'later' : { none: refusal.message }
}

async function rehome(deps: OrphanDeps, task: TaskRow): Promise<void> {
  const home = homeOf(deps, task)
  if (home === 'later') return
  await deps.db.transaction(async (tx) => {
    if ('none' in home) {
      await abandonTask(deps, tx, task.id, { reason: 'engine_failed', message: home.none })
      return
    }
    // Nobody else would say of a queue without workers that one was lost.
    await giveBack(deps, tx, task.id, 'the worker was lost', { forgetHandle: false })
    const moved = await tx.run(
      `update tasks set engine = ?, handle = null where id = ? and engine = ? and state = 'queueing'`,
      [home.engine, task.id, task.engine],
    )
    if (moved === 0) return
    await deps.queue.remove(tx, task.id)
    await deps.queue.enqueue(tx, [generateJob(task, home.engine)])
  })
}
