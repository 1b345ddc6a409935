// A clip in the words of stable-diffusion.cpp's server, and its jobs in ours. Pure. Read: examples/server/api.md,
// async_jobs.cpp and routes_sdcpp.cpp of commit 97d2990 (2026-08-19).
import { EngineError } from '../engine.ts'
import { clipFrames, clipSize } from '../remote/clip-size.ts'
import type { ClipOrder } from '../remote/generator.ts'
import type { SdcppSettings } from './settings.ts'

/** The server works on whole blocks of 16 pixels and on 4n + 1 frames, rounded down; so we round up. */
const sizeStep = 16
const frameStep = 4

export function vidGenSize(clip: ClipOrder, settings: SdcppSettings): { width: number; height: number } {
  return clipSize(clip, settings.shortSide, sizeStep)
}

export function vidGenBody(
  clip: ClipOrder,
  settings: SdcppSettings,
  images: { first: string; last: string | null },
): Record<string, unknown> {
  return {
    prompt: clip.prompt,
    negative_prompt: clip.negativePrompt,
    ...vidGenSize(clip, settings),
    video_frames: clipFrames(clip.seconds, settings.fps, frameStep),
    fps: settings.fps,
    seed: -1,
    output_format: settings.format,
    ...settings.fields,
    init_image: images.first,
    end_image: images.last,
  }
}

export type SdcppJob =
  | { status: 'under way' }
  | { status: 'completed'; base64: string }
  | { status: 'failed'; message: string; cancelled: boolean }

/** A job as `GET /sdcpp/v1/jobs/{id}` has it; null when it is none. */
export function readJob(body: unknown): SdcppJob | null {
  if (typeof body !== 'object' || body === null) return null
  const { status, result, error } = body as Record<string, unknown>
  switch (status) {
    case 'queued':
    case 'generating':
      return { status: 'under way' }
    case 'completed': {
      const base64 = (result as { b64_json?: unknown } | null)?.b64_json
      return typeof base64 === 'string' ? { status, base64 } : null
    }
    case 'failed':
    case 'cancelled': {
      const message = (error as { message?: unknown } | null)?.message
      return {
        status: 'failed',
        message: typeof message === 'string' ? message.slice(0, 500) : String(status),
        cancelled: status === 'cancelled',
      }
    }
    default:
      return null
  }
}

export function failureOf(engine: string, { message }: SdcppJob & { status: 'failed' }): EngineError {
  return new EngineError(`The engine ${engine} failed the video: ${message}`, { retryable: true })
}

export type Submitted = { id: string } | 'busy' | { failure: EngineError } | null

export function readSubmitted(engine: string, status: number, body: unknown): Submitted {
  if (status === 429 || status === 503) return 'busy'
  const { id, error, message } = (body ?? {}) as { id?: unknown; error?: unknown; message?: unknown }
  if (status === 202 || status === 200) return typeof id === 'string' && id !== '' ? { id: id.slice(0, 200) } : null
  const said = [error, message].find((words) => typeof words === 'string') ?? ''
  const words = `The engine ${engine} did not take the video (${status}): ${String(said).slice(0, 500)}`
  // 400 is a request it cannot serve with the model it has loaded: the operator's to mend.
  return { failure: new EngineError(words, { retryable: status >= 500, blame: 'engine' }) }
}
