// The processes that open clients' images, videos and audio. Native decoders run on untrusted bytes only there: a file
// that hangs one or makes it outgrow its memory is refused, and nothing else happens. One that crashes it is refused too,
// but a task may try it again: the child may have been killed for another reason.
import { availableParallelism } from 'node:os'
import { ChildError } from '../children/child-error.ts'
import { createChildPool, type OnBehalfOf } from '../children/child-pool.ts'
import { slots as limits } from '../limits/table.ts'
import { damagedImage, InputFailure, UnusableFile } from './input-failure.ts'
import type { ImageLimits, InspectedImage, InspectJob, InspectResult, Probed } from './inspect-job.ts'

export interface MediaChildren {
  inspectImage(path: string, limits: ImageLimits, request: OnBehalfOf): Promise<InspectedImage>
  /** Writes a small WebP copy of an image to `toPath`. */
  writePreview(path: string, toPath: string, limits: ImageLimits, request: OnBehalfOf): Promise<void>
  /** Fails with an UnusableFile when the file is at fault. */
  probe(path: string, demuxer: string, request: OnBehalfOf): Promise<Probed>
  close(): Promise<void>
}

export interface MediaChildrenOptions {
  slots?: number
  jobMsMax?: number
  module?: URL
}

export function createMediaChildren(options: MediaChildrenOptions = {}): MediaChildren {
  const { total, perAccount, perKey } = limits.inspections.of
  const slots = options.slots ?? total
  const pool = createChildPool<InspectJob, InspectResult>({
    name: 'file inspection',
    module: options.module ?? new URL('./child/inspect-main.ts', import.meta.url),
    slots,
    // One account, and one key of it, always leaves a process to others.
    slotsPerAccount: Math.max(1, slots - (total - perAccount)),
    // Nor does it take every core, because the service and the files of others need one.
    slotsPerAccountShared: Math.max(1, Math.floor(availableParallelism() / 2)),
    slotsPerKey: Math.max(1, slots - (total - perKey)),
    // A progressive image of 50 megapixels takes about 400 MB while it is decoded.
    rssBytesMax: 900_000_000,
    heapMegabytesMax: 256,
    // The slowest image within the limits takes about a second on an idle machine.
    jobMsMax: options.jobMsMax ?? 20_000,
    idleMsMax: 30_000,
  })

  async function run(job: InspectJob, request: OnBehalfOf): Promise<InspectResult> {
    try {
      return await pool.run(job, request)
    } catch (error) {
      if (error instanceof ChildError && error.code === 'crashed') throw crashedOver(error)
      if (error instanceof ChildError && error.blamesJob) return { kind: 'unusable', detail: error.message }
      throw error
    }
  }

  async function openImage(job: InspectJob, request: OnBehalfOf): Promise<InspectedImage> {
    const result = await run(job, request)
    if (result.kind === 'image') return result.image
    if (result.kind === 'refused') {
      throw new InputFailure(result.reason, result.message, { cause: new Error(result.detail) })
    }
    throw damagedImage(result.kind === 'unusable' ? new Error(result.detail) : undefined)
  }

  /** The file may be good, or may crash every process that opens it. */
  function crashedOver(cause: ChildError): InputFailure {
    const message = 'The file could not be opened: the process that inspected it crashed.'
    return new InputFailure('image_format', message, { cause, passing: { of: 'child', retryAfterMs: null } })
  }

  return {
    inspectImage: (path, limits, request) => openImage({ kind: 'image', path, limits }, request),
    async writePreview(path, toPath, limits, request) {
      await openImage({ kind: 'preview', path, toPath, limits }, request)
    },
    async probe(path, demuxer, request) {
      const result = await run({ kind: 'av', path, demuxer }, request)
      if (result.kind === 'av') return result.probed
      throw new UnusableFile(result.kind === 'unusable' ? result.detail : result.kind)
    },
    close: pool.close,
  }
}
