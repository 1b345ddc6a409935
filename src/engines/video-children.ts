// The child processes that make video files, for any engine: their common limits, and their failures as EngineErrors.
import { ChildError } from '../children/child-error.ts'
import { type ChildPoolOptions, createChildPool } from '../children/child-pool.ts'
import { everyone } from '../limits/slots.ts'
import type { Rendered } from '../video/rendered.ts'
import type { WorkOutcome } from '../video/work-outcome.ts'
import { EngineError } from './engine.ts'

interface VideoJobContext {
  signal: AbortSignal
  progress(percent: number): void
}

export interface VideoChildren<Job> {
  run(job: Job, context: VideoJobContext): Promise<Rendered>
  /** Starts the processes before they are needed. */
  warm(): Promise<void>
  /** Process ids of the running children. */
  pids(): number[]
  close(): Promise<void>
}

export function createVideoChildren<Job>(options: Omit<ChildPoolOptions, 'heapMegabytesMax'>): VideoChildren<Job> {
  const pool = createChildPool<Job, WorkOutcome>({ heapMegabytesMax: 768, ...options })
  return {
    async run(job, context) {
      const outcome = await pool.run(job, { caller: everyone, ...context }).catch((error) => {
        if (!(error instanceof ChildError)) throw error
        throw new EngineError(error.message, { retryable: error.retryable, cause: error })
      })
      if ('unusable' in outcome) throw new EngineError(outcome.unusable, { retryable: false })
      return outcome.rendered
    },
    warm: pool.warm,
    pids: pool.pids,
    close: pool.close,
  }
}
