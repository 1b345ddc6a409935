// Stores the result of an engine.
import { statSync } from 'node:fs'
import type { DeliveredVideo } from '../../contract/tasks/records.ts'
import type { EngineResult } from '../../engines/engine.ts'
import type { VideoRequest } from '../../models/model.ts'
import { newId } from '../../platform/ids.ts'
import type { HeldJob } from '../store/task-files.ts'
import { requestOf, type StoredVideo, type TaskRow } from '../store/task-row.ts'
import type { AttemptDeps } from './attempt.ts'

const nameCharactersMax = 48

export async function storeResult(
  deps: AttemptDeps,
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

/**
 * What the files are called when they are saved: words of the prompt and the end of the task's id, as the client names
 * them too (client/src/records.ts), such as `slow-push-in-on-the-boat-1a2b3c4d`. Their URLs name neither.
 */
function fileNameOf(task: Pick<TaskRow, 'id' | 'request'>): string {
  const { prompt, shots } = requestOf(task)
  const shown = shots.length > 0 ? shots.map((shot) => shot.prompt).join(' / ') : prompt
  const words = shown
    .normalize('NFKD')
    .toLowerCase()
    // Accents of Latin letters; other scripts spell with their marks.
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  const slug = [...words].slice(0, nameCharactersMax).join('').replace(/^-|-$/g, '')
  return `${slug || 'video'}-${task.id.slice(-8)}`
}
