// An engine that ignores every signal, as one that works elsewhere may: only the test ends its work.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine, EngineResult } from '../../../src/engines/engine.ts'
import { fetchNothing } from './fetch-nothing.ts'
import { videoOf } from './scripted.ts'

const seconds = 5

export interface UncooperativeEngine {
  engine: Engine
  /** `start`, and `follow` and `cancel` with the number of the start, in order. */
  calls: string[]
  /** Ends what was followed, in order. */
  ends: ((result: 'video' | Error) => void)[]
}

/** `starting` holds every start back until it resolves. */
export function createUncooperativeEngine(starting: Promise<unknown> = Promise.resolve()): UncooperativeEngine {
  const calls: string[] = []
  const ends: UncooperativeEngine['ends'] = []
  const engine: Engine = {
    name: 'uncooperative',
    async start() {
      calls.push('start')
      const job = calls.length
      await starting
      return { job }
    },
    follow({ job }, _plan, { workDir }) {
      calls.push(`follow ${job}`)
      return new Promise<EngineResult>((resolve, reject) => {
        ends.push((result) => {
          if (result instanceof Error) reject(result)
          else writeResult(workDir).then(resolve, reject)
        })
      })
    },
    async cancel({ job }) {
      calls.push(`cancel ${job}`)
    },
  }
  return { engine, calls, ends }
}

async function writeResult(workDir: string): Promise<EngineResult> {
  const [videoPath, thumbnailPath, lastFramePath] = ['v.mp4', 't.jpg', 'l.jpg'].map((name) => join(workDir, name))
  // As long as it says: a service in front of this one checks it.
  const video = await videoOf(seconds)
  for (const path of [videoPath!, thumbnailPath!, lastFramePath!]) await writeFile(path, video)
  return {
    videoPath: videoPath!,
    thumbnailPath: thumbnailPath!,
    lastFramePath: lastFramePath!,
    width: 1,
    height: 1,
    seconds,
  }
}

/** What a service is given to use it. */
export const withEngine = ({ engine }: UncooperativeEngine) => ({ engine, fetchInputs: fetchNothing })
