// Runs the studio as the task flow does: files by key, a folder of the attempt's own, a plan in, a result out.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineResult, Plan } from '../../../../src/engines/engine.ts'
import { createStudio, type Studio, type StudioOptions } from '../../../../src/engines/studio/studio.ts'
import { openTestStorage } from '../../../support/places/storage.ts'

export interface StudioRun {
  studio: Studio
  /** Stores bytes and gives the key by which a plan names them. */
  put(name: string, bytes: Uint8Array): Promise<string>
  run(plan: Partial<Plan>, options?: { signal?: AbortSignal; progress?(percent: number): void }): Promise<EngineResult>
  close(): Promise<void>
}

/** Without depth unless asked for: loading the model takes longer than most tests. */
export async function startStudio(options: Partial<StudioOptions> = {}): Promise<StudioRun> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-test-'))
  const studio = createStudio({ slots: 1, threadsPerSlot: 2, depth: false, ...options })
  const storage = await openTestStorage(folder)
  return {
    studio,
    async put(name, bytes) {
      const path = join(folder, 'new')
      await writeFile(path, bytes)
      // Services never write a key twice; tests may.
      await storage.delete(name)
      await storage.put(name, path)
      return name
    },
    async run(plan, { signal = new AbortController().signal, progress = () => {} } = {}) {
      const workDir = await mkdtemp(join(folder, 'attempt-'))
      const whole = planOf(plan)
      const context = {
        workDir,
        localPath: storage.localPath,
        signal,
        progress,
        submission: 'test',
        keep: async () => {},
      }
      return studio.follow({}, whole, context)
    },
    async close() {
      await studio.close()
      await storage.close()
      await rm(folder, { recursive: true })
    },
  }
}

export function planOf(plan: Partial<Plan>): Plan {
  return {
    model: 'test',
    prompt: 'push in',
    negativePrompt: '',
    guidance: 0.5,
    seconds: 1,
    size: { width: 320, height: 180 },
    firstFrame: { file: 'first.png', kind: 'image' },
    lastFrame: null,
    shots: [],
    planShots: false,
    elements: [],
    audio: false,
    ...plan,
  }
}
