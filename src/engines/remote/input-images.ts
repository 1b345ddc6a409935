// Brings input images into the form that generators accept, in child processes: native decoders never open a client's
// file in the service's own process.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ChildError } from '../../children/child-error.ts'
import { createChildPool } from '../../children/child-pool.ts'
import { everyone } from '../../limits/slots.ts'
import { newToken } from '../../platform/ids.ts'
import type { InputImageJob, InputImageResult } from '../../video/picture/input-image-job.ts'
import type { Size } from '../../video/picture/output-size.ts'
import { EngineError } from '../engine.ts'

export type ImageBytes = Uint8Array<ArrayBuffer>

export interface InputImages {
  /** A JPEG of exactly this size, its edges cut off evenly where the shapes differ. */
  convert(path: string, size: Size, context: { workDir: string; signal: AbortSignal }): Promise<ImageBytes>
  close(): Promise<void>
}

export function createInputImages(): InputImages {
  const pool = createChildPool<InputImageJob, InputImageResult>({
    name: 'image conversion',
    module: new URL('../../video/picture/input-image-main.ts', import.meta.url),
    slots: 2,
    rssBytesMax: 900_000_000,
    heapMegabytesMax: 256,
    // The largest image that is accepted takes about two seconds on an idle machine.
    jobMsMax: 60_000,
    abortMsMax: 2_000,
    startMsMax: 30_000,
    idleMsMax: 30_000,
    niceness: 0,
  })
  return {
    async convert(path, size, { workDir, signal }) {
      const toPath = join(workDir, `input-${newToken()}.jpg`)
      const result = await pool.run({ path, toPath, ...size }, { caller: everyone, signal }).catch((error) => {
        if (!(error instanceof ChildError)) throw error
        throw new EngineError(`An image could not be converted: ${error.message}.`, {
          retryable: error.retryable,
          blame: 'task' as const,
          cause: error,
        })
      })
      if (result !== null) {
        throw new EngineError(`An image could not be converted: ${result.unusable}.`, { retryable: false })
      }
      return Uint8Array.from(await readFile(toPath))
    },
    close: pool.close,
  }
}
