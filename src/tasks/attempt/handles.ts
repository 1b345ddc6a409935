// Starts the work of an engine once: its handle is stored before anything else is awaited, so that after a crash the same
// work is followed instead of being submitted, and paid for, again. While the database accepts no writes, the handle waits.
import { isFinal } from '../../contract/tasks/states.ts'
import { retryUntilWritable } from '../../db/retry.ts'
import type { FollowContext, Handle, Plan } from '../../engines/engine.ts'
import { untilAborted } from '../../platform/until-aborted.ts'
import { JobLostError, lockIfClaimed } from '../../queue/queue.ts'
import { findTask } from '../store/read.ts'
import { type KeptHandle, setHandles } from '../store/store.ts'
import type { Attempt, AttemptDeps } from './attempt.ts'

interface AttemptHandles {
  /** The handle of the work that a former attempt submitted; otherwise submits it now. */
  start(plan: Plan, context: FollowContext): Promise<Handle>
  /** Stores the handle; stops the engine and throws a JobLostError when this is no longer the task's attempt. */
  keep(handle: Handle): Promise<void>
}

/** Calls `heartbeat` while a handle waits to be stored: the generator is not silent then. */
type HandlesOf = (attempt: Attempt, heartbeat: () => void) => AttemptHandles

export function createHandles(deps: AttemptDeps): HandlesOf {
  const store = deps.transactions.stage<KeptHandle, boolean>({
    name: 'handles',
    async work(tx, handles) {
      const kept = await setHandles(tx, handles)
      return handles.map(({ taskId }) => kept.includes(taskId))
    },
    locks: ({ taskId }) => ({ taskId }),
  })

  return ({ engine, task, job }, heartbeat) => {
    async function start(plan: Plan, context: FollowContext): Promise<Handle> {
      if (!engine.start) return {}
      if (task.handle !== null) return JSON.parse(task.handle)
      const starting = engine.start(plan, context)
      const handle = await untilAborted(starting, context.signal).catch((error) => {
        // A handle that arrives too late is not stored anywhere.
        if (context.signal.aborted) starting.then(stopUnlessTakenOver).catch(() => {})
        throw error
      })
      await keep(handle)
      return handle
    }

    async function keep(handle: Handle): Promise<void> {
      const kept = { taskId: task.id, attempt: job.attempt, handle: JSON.stringify(handle) }
      const isKept = await retryUntilWritable(() => store(kept), {
        givesUp: () => deps.stopping.aborted,
        onRetry(error) {
          heartbeat()
          deps.log.warn({ err: error, task: task.id }, "a generator's handle cannot be stored; it will be retried")
        },
      })
      if (isKept) return
      await stopUnlessTakenOver(handle)
      throw new JobLostError('the task ended while the engine was starting')
    }

    /** The worker that took over the task follows the same submission, unless the task has ended. */
    async function stopUnlessTakenOver(handle: Handle): Promise<void> {
      const isTakenOver = await deps.db.transaction(async (tx) => {
        if (await lockIfClaimed(deps.queue, tx, job)) return false
        const state = (await findTask(tx, task.id))?.state
        return state !== undefined && !isFinal(state)
      })
      if (!isTakenOver) deps.stopEngine(engine.name, handle)
    }

    return { start, keep }
  }
}
