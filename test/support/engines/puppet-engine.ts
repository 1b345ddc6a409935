// An engine and a gatherer whose every move is made by the test: a task stays where it is until the test pulls a
// string. Tasks are distinguished by their prompts. The strings outlive the service, as an engine that works elsewhere
// would.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine, EngineResult, FollowContext, Plan } from '../../../src/engines/engine.ts'
import { EngineError } from '../../../src/engines/engine.ts'
import { type FetchInputs, TaskFailed } from '../../../src/tasks/prepare/prepare.ts'
import { requestOf } from '../../../src/tasks/store/task-row.ts'
import { fetchNothing } from './fetch-nothing.ts'

interface Puppet {
  progress(percent: number): void
  succeed(): Promise<void>
  fail(words: string): void
  /** Fails in a way that another attempt may mend. */
  crash(): void
}

export interface Puppets {
  engine: Engine
  fetchInputs: FetchInputs
  /** Those that a live worker follows now, by prompt. */
  followed: Map<string, Puppet>
  /** How often each was started. */
  starts: Map<string, number>
  /** Lets the input files of a held prompt arrive, or fail to. */
  arrive(prompt: string, outcome: 'found' | 'missing'): void
}

/** Prompts with this word wait in `wait` until their input files arrive. */
export const heldWord = 'held'

export function createPuppets(): Puppets {
  const followed = new Map<string, Puppet>()
  const starts = new Map<string, number>()
  const arrived = new Map<string, 'found' | 'missing'>()
  const waiting = new Map<string, () => void>()

  const engine: Engine = {
    name: 'puppets',
    async start({ prompt }) {
      starts.set(prompt, (starts.get(prompt) ?? 0) + 1)
      return { prompt }
    },
    follow: (_handle, plan, context) =>
      new Promise<EngineResult>((resolve, reject) => {
        const ending =
          <Args extends unknown[], Out>(end: (...args: Args) => Out) =>
          (...args: Args) => {
            if (followed.get(plan.prompt) === puppet) followed.delete(plan.prompt)
            return end(...args)
          }
        const puppet: Puppet = {
          progress: (percent) => context.progress(percent),
          succeed: ending(async () => resolve(await writeResult(plan, context))),
          fail: ending((words: string) => reject(new EngineError(words, { retryable: false }))),
          crash: ending(() => reject(new Error('the puppet fell'))),
        }
        followed.set(plan.prompt, puppet)
        context.signal.addEventListener(
          'abort',
          ending(() => reject(context.signal.reason)),
        )
      }),
    async cancel() {},
  }

  const fetchInputs: FetchInputs = async (task, held) => {
    const { prompt } = requestOf(task)
    while (prompt.includes(heldWord) && !arrived.has(prompt)) {
      await new Promise<void>((resolve, reject) => {
        waiting.set(prompt, resolve)
        held.signal.addEventListener('abort', () => reject(held.signal.reason))
      })
    }
    if (arrived.get(prompt) === 'missing') {
      throw new TaskFailed({ reason: 'image_fetch_failed', message: 'The image was not found.' })
    }
    return fetchNothing(task, held)
  }

  return {
    engine,
    fetchInputs,
    followed,
    starts,
    arrive(prompt, outcome) {
      arrived.set(prompt, outcome)
      waiting.get(prompt)?.()
    },
  }
}

async function writeResult(plan: Plan, { workDir }: FollowContext): Promise<EngineResult> {
  const videoPath = join(workDir, 'video.mp4')
  const thumbnailPath = join(workDir, 'thumbnail.jpg')
  await writeFile(videoPath, `\0\0\0\x18ftypisom ${plan.prompt}`)
  await writeFile(thumbnailPath, Buffer.from([0xff, 0xd8, 0xff, 0xd9]))
  const lastFramePath = join(workDir, 'last-frame.jpg')
  await writeFile(lastFramePath, 'last frame')
  return { videoPath, thumbnailPath, lastFramePath, width: 1280, height: 720, seconds: plan.seconds }
}
