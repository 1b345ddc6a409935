// Stores the result of an engine.
import { statSync } from 'node:fs'
import type { DeliveredVideo } from '../../contract/tasks/records.ts'
import type { EngineResult } from '../../engines/engine.ts'
import type { VideoRequest } from '../../models/model.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import type { HeldJob, StoreFiles } from '../store/task-files.ts'
import { requestOf, type StoredVideo, type TaskRow } from '../store/task-row.ts'
import { fileNameOf } from './file-names.ts'

export async function storeResult(
  deps: { clock: Clock; storeFiles: StoreFiles; videoTtlMs: number },
  task: TaskRow,
  held: HeldJob,
  engine: string,
  result: EngineResult,
): Promise<{ video: StoredVideo; delivered: DeliveredVideo; expiresAt: number }> {
  const nowMs = deps.clock.now()
  // Decided here, so that success need not write the rows again. A task that ends otherwise expires them.
  const expiresAt = nowMs + deps.videoTtlMs
  const { wideFrame: wide } = result
  const image = { mime: 'image/jpeg', expires_at: expiresAt } as const
  const savedAs = fileNameOf(task)
  const files = [
    { purpose: 'video', name: 'video.mp4', mime: 'video/mp4', expires_at: expiresAt, path: result.videoPath },
    { purpose: 'thumbnail', name: 'thumbnail.jpg', ...image, path: result.thumbnailPath },
    { purpose: 'frame', name: 'last-frame.jpg', ...image, path: result.lastFramePath },
    ...(wide ? [{ purpose: 'frame', name: 'wide-frame.jpg', ...image, path: wide.path } as const] : []),
  ] as const
  const sizes = files.map(({ path }) => statSync(path).size)
  const rows = await deps.storeFiles(
    task,
    held,
    files.map((file, i) => ({
      ...file,
      name: file.purpose === 'video' ? `${savedAs}.mp4` : `${savedAs}-${file.name}`,
      bytes: sizes[i]!,
    })),
  )
  // A URL may be passed on: it says nothing about the prompt.
  const [video, thumbnail, lastFrame, wideFrame] = rows.map(({ token }, i) => ({ token, name: files[i]!.name }))
  const { width, height, fps, codec, adjusted, momentum } = result
  // A container's length is the sum of rounded frames: 5.0005 s for 5 s.
  const seconds = Math.round(result.seconds * 100) / 100
  return {
    video: {
      id: newId(nowMs),
      video: video!,
      thumbnail: thumbnail!,
      lastFrame: lastFrame!,
      width,
      height,
      seconds,
      ...(momentum && { momentum }),
      ...(wide && { wideFrame: { ...wideFrame!, area: wide.area } }),
    },
    delivered: {
      seconds,
      width,
      height,
      engine,
      fps: fps ?? null,
      codec: codec ?? null,
      bytes: sizes[0]!,
      adjusted: [...shotsFitted(requestOf(task)), ...(adjusted ?? [])],
    },
    expiresAt,
  }
}

/** What the request itself led to: its shots share the length of the video. */
function shotsFitted({ shotsFittedFrom, seconds }: VideoRequest): string[] {
  return shotsFittedFrom === undefined ? [] : [`shots fitted from ${shotsFittedFrom} s to ${seconds} s`]
}
