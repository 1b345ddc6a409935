// Follows an engine from its start to its stored result. Throws what the engine throws.
import type { Understood } from '../../contract/tasks/records.ts'
import { EngineError, type EngineResult, type FollowContext, type Handle, type Plan } from '../../engines/engine.ts'
import { unmatchedNames } from '../../models/subject-names.ts'
import { untilAborted } from '../../platform/until-aborted.ts'
import type { Attempt, AttemptDeps } from './attempt.ts'
import type { Ends } from './end.ts'
import { createHandles } from './handles.ts'
import { createFollowProgress } from './progress.ts'
import type { SilenceWatch } from './silence.ts'
import { storeResult } from './store-result.ts'

/** The share of the requested length below which a video is a failed attempt. */
const deliveredShareMin = 0.9

interface Work {
  workDir: string
  silence: SilenceWatch
  freeSlot(): void
}

export function createFollow(deps: AttemptDeps, { whenWritable, succeed }: Ends) {
  const followProgress = createFollowProgress(deps)
  const handlesOf = createHandles(deps)

  return async (attempt: Attempt, { workDir, silence, freeSlot }: Work): Promise<void> => {
    const { engine, task, job } = attempt
    const plan = JSON.parse(task.plan!) as Plan
    const progress = followProgress(task.id, job.attempt)
    const handles = handlesOf(attempt, silence.heartbeat)
    const withNames = namesIn(plan)
    let latest: Handle | null = null
    let waitsFor: string | null = null
    const context: FollowContext = {
      workDir,
      localPath: (file) => deps.storage.localPath(file),
      signal: silence.signal,
      progress(percent) {
        silence.heartbeat()
        progress.report(percent)
      },
      waiting(reason) {
        if (reason !== null && reason !== waitsFor) {
          deps.log.warn({ task: task.id, engine: engine.name, reason }, 'a task waits: its generator is busy')
        }
        waitsFor = reason
        deps.fleet.waiting(engine.name, reason)
      },
      understood: (read) => progress.understood(withNames(read)),
      locally: silence.whilePaused,
      submission: `${task.id}-${engine.name}-${attempt.history.failedOn.length}`,
      async keep(handle) {
        await handles.keep(handle)
        latest = handle
      },
    }
    try {
      context.signal.throwIfAborted()
      const handle = await handles.start(plan, context)
      const result = await untilAborted(engine.follow(handle, plan, context), context.signal)
      silence.stop()
      freeSlot()
      checkLength(result, plan)
      const held = { job, signal: context.signal }
      const stored = await whenWritable(() => storeResult(deps, task, held, engine.name, result))
      await succeed(job, { ...stored, understood: progress.reading ?? JSON.stringify(withNames(nothingRead)) })
      discard(latest ?? handle)
    } finally {
      await progress.close()
    }
    deps.onAttempt(engine.name, 'success')
    deps.fleet.report(engine.name, 'succeeded')

    /** Asks the engine to delete its copy of the result, without waiting for it. */
    function discard(handle: Handle) {
      deps.fleet.discard(engine.name, handle).catch((error) => {
        deps.log.warn({ err: error, engine: engine.name }, 'an engine kept its copy')
      })
    }
  }
}

const nothingRead: Understood = { moves: [], effects: [], framing: null, notDone: [] }

/** Adds the names that no engine can read: those without a subject, and subjects that are not named. */
function namesIn({ prompt, shots, elements }: Plan): (read: Understood) => Understood {
  const names = unmatchedNames(
    [prompt, ...shots.map((shot) => shot.prompt)],
    elements.map(({ name }) => name),
  )
  return (read) => ({ ...read, notDone: [...new Set([...read.notDone, ...names])] })
}

function checkLength(result: EngineResult, plan: Plan): void {
  if (result.seconds >= plan.seconds * deliveredShareMin) return
  const message = `The engine delivered ${result.seconds} s of video; ${plan.seconds} s were requested.`
  throw new EngineError(message, { retryable: true, blame: 'engine' })
}
