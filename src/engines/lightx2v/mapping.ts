// A clip for LightX2V's server, and what its tasks mean. Pure. Read: commit f8aee98b (2026-08-21), lightx2v/server.
import { EngineError } from '../engine.ts'
import { clipFrames } from '../remote/clip-size.ts'
import { refusalOf, type Submitted } from '../remote/failures.ts'
import type { ClipPlan } from '../remote/generator.ts'
import type { Lightx2vSettings } from './settings.ts'

/** What both ways of creating a task take, besides the images. */
export function taskFields(
  clip: Pick<ClipPlan, 'prompt' | 'negativePrompt' | 'seconds' | 'seed'>,
  id: string,
  settings: Lightx2vSettings,
): Record<string, string | number | boolean> {
  return {
    prompt: clip.prompt,
    negative_prompt: clip.negativePrompt,
    target_video_length: clipFrames(clip.seconds, settings.fps, settings.frameStep),
    seed: clip.seed,
    // The result is saved under our id, so that we find a task even if the server gave it an id of its own.
    save_result_path: id,
    ...settings.fields,
  }
}

type Lightx2vTask =
  | { state: 'under way' }
  | { state: 'completed' }
  | { state: 'failed'; message: string; canceled: boolean }

/** A task as `GET /v1/tasks/{id}/status` has it; null when the body is not one. */
export function readTask(body: unknown): Lightx2vTask | null {
  if (typeof body !== 'object' || body === null) return null
  const { status, error } = body as Record<string, unknown>
  switch (status) {
    case 'pending':
    case 'processing':
      return { state: 'under way' }
    case 'completed':
      return { state: 'completed' }
    case 'failed':
    case 'cancelled':
      return {
        state: 'failed',
        message: typeof error === 'string' && error !== '' ? error.slice(0, 500) : status,
        canceled: status === 'cancelled',
      }
    default:
      return null
  }
}

/** The server's id of the task that saves its result under `id`, in the list of `GET /v1/tasks/`; null: there is none. */
export function findTask(body: unknown, id: string): string | null {
  const tasks = Object.entries((body ?? {}) as Record<string, unknown>)
  const found = tasks.find(([, task]) => {
    const { save_result_path: path } = (task ?? {}) as { save_result_path?: unknown }
    // The ending is added when the task completes.
    return path === id || path === `${id}.mp4`
  })
  return found?.[0] ?? null
}

export function failureOf(engine: string, { message, canceled }: Lightx2vTask & { state: 'failed' }): EngineError {
  const text = `The engine ${engine} failed the video: ${message}`
  return new EngineError(text, canceled ? { retryable: false, blame: 'task' } : { retryable: true })
}

/** `busy`: the queue is full, or the id is taken, which the caller distinguishes. */
export function readSubmitted(engine: string, status: number, body: unknown): Submitted {
  if (status === 429 || status === 503) return 'busy'
  const { task_id: id, detail } = (body ?? {}) as { task_id?: unknown; detail?: unknown }
  if (status === 200) return typeof id === 'string' && id !== '' ? { id: id.slice(0, 200) } : null
  const said = typeof detail === 'string' || detail === undefined ? (detail ?? '') : JSON.stringify(detail)
  const text = refusalOf(engine, 'video', status, said.slice(0, 500))
  return { failure: new EngineError(text, { retryable: status >= 500, blame: 'engine' }) }
}
