// Stores the result of an engine: the rows first, then the bytes.
import { statSync } from 'node:fs'
import type { DeliveredVideo } from '../../contract/tasks/records.ts'
import type { EngineResult } from '../../engines/engine.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import type { ReserveFiles } from '../../storage/files.ts'
import type { Storage } from '../../storage/storage.ts'
import type { StoredVideo, TaskRow } from '../store/task-row.ts'

export async function storeResult(
  deps: { storage: Storage; clock: Clock; reserveFiles: ReserveFiles; videoTtlMs: number },
  task: TaskRow,
  engine: string,
  result: EngineResult,
): Promise<{ video: StoredVideo; delivered: DeliveredVideo; expiresAt: number }> {
  const nowMs = deps.clock.now()
  // Decided here, so that success need not write the rows again. A task that ends otherwise expires them.
  const expiresAt = nowMs + deps.videoTtlMs
  const common = { account_id: task.account_id, task_id: task.id, expires_at: expiresAt }
  const { wideFrame: wide } = result
  const parts = [
    { purpose: 'video', name: 'video.mp4', mime: 'video/mp4', path: result.videoPath },
    { purpose: 'thumbnail', name: 'thumbnail.jpg', mime: 'image/jpeg', path: result.thumbnailPath },
    { purpose: 'frame', name: 'last-frame.jpg', mime: 'image/jpeg', path: result.lastFramePath },
    ...(wide ? [{ purpose: 'frame', name: 'wide-frame.jpg', mime: 'image/jpeg', path: wide.path } as const] : []),
  ] as const
  const sizes = parts.map(({ path }) => statSync(path).size)
  const rows = await deps.reserveFiles(
    parts.map(({ path: _path, ...part }, i) => ({ ...common, ...part, bytes: sizes[i]! })),
  )
  await Promise.all(rows.map((row, i) => deps.storage.put(row.storage_key, parts[i]!.path)))
  const [video, thumbnail, lastFrame, wideFrame] = rows.map(({ token, name }) => ({ token, name }))
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
      adjusted: adjusted ?? [],
    },
    expiresAt,
  }
}
