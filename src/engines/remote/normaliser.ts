// Turns what generators deliver into the wanted video, in child processes with limits on time and memory.
import { availableParallelism } from 'node:os'
import { ChildError } from '../../children/child-error.ts'
import type { NormaliseJob, NormalisePlan } from '../../video/normalise/normalise-plan.ts'
import { EngineError, type EngineResult, type Plan } from '../engine.ts'
import { createVideoChildren } from '../video-children.ts'

export interface Normaliser {
  /** Fails with an EngineError that blames the engine when the clips are of no use. */
  run(
    engine: string,
    plan: NormalisePlan,
    context: { signal: AbortSignal; progress(percent: number): void },
  ): Promise<EngineResult>
  close(): Promise<void>
}

/** What the normaliser takes over from a task's plan. */
export function normaliseBase(plan: Plan): Omit<NormalisePlan, 'workDir' | 'clips' | 'mode'> {
  const { width, height } = plan.firstFrame
  return {
    prompt: plan.prompt,
    size: plan.size,
    audio: plan.audio,
    picture: width === undefined || height === undefined ? null : { width, height },
    keepsEnd: plan.lastFrame !== null,
    soundPaths: [],
  }
}

export function createNormaliser({ slots }: { slots: number }): Normaliser {
  const threads = Math.max(1, Math.round(availableParallelism() / slots))
  const children = createVideoChildren<NormaliseJob>({
    name: 'conversion',
    module: new URL('../../video/normalise/normalise-main.ts', import.meta.url),
    slots,
    rssBytesMax: 1_500_000_000,
    // A video of a few seconds takes a few seconds; a clip that takes this long is hostile.
    jobMsMax: 10 * 60_000,
    abortMsMax: 700,
    startMsMax: 30_000,
    jobsPerChildMax: 200,
    // A short end to long work: renders can wait for it.
    niceness: 0,
  })
  return {
    async run(engine, plan, context) {
      try {
        const made = await children.run({ plan, threads }, context)
        const { cpuSeconds: _cpuSeconds, frames: _frames, ...result } = made
        return result
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        throw new EngineError(`The engine ${engine} delivered no usable video: ${error.message}.`, {
          // Another attempt may deliver a better clip, unless the clip crashed a child.
          retryable: !(error.cause instanceof ChildError),
          blame: 'engine',
          cause: error,
        })
      }
    },
    close: children.close,
  }
}
