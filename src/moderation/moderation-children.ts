// The processes that judge prompts by their words and score images. What the scores mean is decided in moderation.ts.
import { ChildError } from '../children/child-error.ts'
import { createChildPool, type OnBehalfOf } from '../children/child-pool.ts'
import { slots as limits } from '../limits/table.ts'
import type { ImageScores, ModerationJob, ModerationResult } from './moderation-job.ts'

interface ModerationChildren {
  /** `objection`: what is not allowed; `withoutHarmless`: the text without phrases that only look harmful. */
  judgePrompt(text: string, request: OnBehalfOf): Promise<{ objection: string | null; withoutHarmless: string }>
  /** `path`: a local JPEG or PNG that was inspected before. */
  scoreImage(path: string, request: OnBehalfOf): Promise<ImageScores>
  /** Process ids of the running children. */
  pids(): number[]
  close(): Promise<void>
}

export interface ModerationChildrenOptions {
  slots?: number
  jobMsMax?: number
  /** Jobs that may wait; beyond it a call is refused at once. */
  waitingMax?: number
  module?: URL
}

export function createModerationChildren(options: ModerationChildrenOptions = {}): ModerationChildren {
  const { total, perAccount, waitingMax } = limits.moderations.of
  const slots = options.slots ?? total
  const pool = createChildPool<ModerationJob, ModerationResult>({
    name: 'moderation',
    module: options.module ?? new URL('./child/moderation-main.ts', import.meta.url),
    slots,
    // One account always leaves a process to others.
    slotsPerAccount: Math.max(1, slots - (total - perAccount)),
    waitingMax: options.waitingMax ?? waitingMax,
    rssBytesMax: 900_000_000,
    heapMegabytesMax: 512,
    jobMsMax: options.jobMsMax ?? 30_000,
    idleMsMax: 30_000,
  })

  /** A child may have been killed for other reasons, such as a machine without memory, so there is a second attempt. */
  async function run<Kind extends ModerationJob['kind']>(job: ModerationJob & { kind: Kind }, request: OnBehalfOf) {
    const result = await pool.run(job, request).catch((error) => {
      if (error instanceof ChildError && error.code === 'crashed') return pool.run(job, request)
      throw error
    })
    return result as Extract<ModerationResult, { kind: Kind }>
  }

  return {
    judgePrompt: (text, request) => run({ kind: 'prompt', text }, request),
    scoreImage: async (path, request) => (await run({ kind: 'image', path }, request)).scores,
    pids: pool.pids,
    close: pool.close,
  }
}
