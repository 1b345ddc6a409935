// A clip for stable-diffusion.cpp's server, and what its jobs mean. Pure. Read and run: commit 97d2990 (2026-08-19),
// examples/server.
import { EngineError, type Finding } from '../engine.ts'
import { clipFrames, clipSize } from '../remote/clip-size.ts'
import { refusalOf, type Submitted } from '../remote/failures.ts'
import type { ClipPlan } from '../remote/generator.ts'
import type { SdcppSettings } from './settings.ts'

/** The server works on whole blocks of 16 pixels and on 4n + 1 frames, rounded down; so we round up. */
const sizeStep = 16
const frameStep = 4

export function vidGenSize(clip: ClipPlan, settings: SdcppSettings): { width: number; height: number } {
  return clipSize(clip, settings.shortSide, sizeStep)
}

export function vidGenBody(
  clip: ClipPlan,
  settings: SdcppSettings,
  images: { first: string; last: string | null },
): Record<string, unknown> {
  return {
    prompt: clip.prompt,
    negative_prompt: clip.negativePrompt,
    ...vidGenSize(clip, settings),
    video_frames: clipFrames(clip.seconds, settings.fps, frameStep),
    fps: settings.fps,
    seed: clip.seed,
    output_format: settings.format,
    ...settings.fields,
    init_image: images.first,
    end_image: images.last,
  }
}

type SdcppJob =
  | { status: 'under way' }
  | { status: 'completed'; base64: string }
  | { status: 'failed'; message: string }

/** A job as `GET /sdcpp/v1/jobs/{id}` has it; null when the body is not one. */
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
      }
    }
    default:
      return null
  }
}

export function failureOf(engine: string, { message }: SdcppJob & { status: 'failed' }): EngineError {
  return new EngineError(`The engine ${engine} failed the video: ${message}`, { retryable: true })
}

/** What `GET /sdcpp/v1/capabilities` says against the settings. A sampler that is not there is accepted and ignored. */
export function readCapabilities(body: unknown, settings: SdcppSettings): Finding[] {
  const capabilities = (body ?? {}) as Record<string, unknown>
  const modes = capabilities.supported_modes
  const formats = (capabilities.output_formats_by_mode as { vid_gen?: unknown } | undefined)?.vid_gen
  const { sample_params: sampling } = settings.fields as { sample_params?: Record<string, unknown> | null }
  const choices = [
    { field: 'sample_method', value: sampling?.sample_method, known: capabilities.samplers },
    { field: 'scheduler', value: sampling?.scheduler, known: capabilities.schedulers },
  ]
  const unusable = [
    ...(Array.isArray(modes) && !modes.includes('vid_gen') ? ['its model makes no videos'] : []),
    ...(Array.isArray(formats) && !formats.includes(settings.format)
      ? [`it cannot write ${settings.format}; set "format" to one of ${formats.join(', ')}`]
      : []),
  ]
  const doubtful = choices.flatMap(({ field, value, known }) =>
    value === undefined || !Array.isArray(known) || known.includes(value)
      ? []
      : [`fields.sample_params.${field}: "${value}" is not one of ${known.join(', ')}`],
  )
  return [
    ...unusable.map((message) => ({ message, isFatal: true })),
    ...doubtful.map((message) => ({ message, isFatal: false })),
  ]
}

export function readSubmitted(engine: string, status: number, body: unknown): Submitted {
  if (status === 429 || status === 503) return 'busy'
  const { id, error, message } = (body ?? {}) as { id?: unknown; error?: unknown; message?: unknown }
  if (status === 202 || status === 200) return typeof id === 'string' && id !== '' ? { id: id.slice(0, 200) } : null
  const said = [error, message].find((words) => typeof words === 'string') ?? ''
  const words = refusalOf(engine, 'video', status, String(said).slice(0, 500))
  // 400: the loaded model cannot serve the request. The operator has to correct the settings.
  return { failure: new EngineError(words, { retryable: status >= 500, blame: 'engine' }) }
}
