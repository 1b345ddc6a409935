// A clip in the words of the OpenAI videos API, and its job in ours. Pure. Read: openai-node 7.53 (`resources/videos`),
// vLLM-Omni's docs/serving/videos_api.md and protocol/videos.py (2026), SGLang's openai/video_api.py: they share
// prompt, seconds, size and input_reference; width, height, fps, num_frames and negative_prompt are extensions.
import { EngineError } from '../engine.ts'
import type { ClipOrder } from '../remote/generator.ts'
import type { OpenaiVideosSettings } from './settings.ts'

export type FormFields = Record<string, string>

/** The fields of the form besides its images. */
export function formFields(clip: ClipOrder, settings: OpenaiVideosSettings): FormFields {
  const { width, height } = sizeFor(clip, settings.sizes)
  const extra: FormFields = settings.extraFields
    ? {
        width: String(width),
        height: String(height),
        ...(clip.negativePrompt ? { negative_prompt: clip.negativePrompt } : {}),
      }
    : {}
  return {
    prompt: clip.prompt,
    ...(settings.model === undefined ? {} : { model: settings.model }),
    seconds: String(secondsFor(clip.seconds, settings.seconds)),
    size: `${width}x${height}`,
    ...extra,
    ...Object.fromEntries(Object.entries(settings.fields).map(([name, value]) => [name, String(value)])),
  }
}

/** The shortest length that is made and long enough, or the longest there is. */
export function secondsFor(seconds: number, made: readonly number[] | undefined): number {
  if (made === undefined) return Math.ceil(seconds)
  const sorted = [...made].sort((a, b) => a - b)
  return sorted.find((each) => each >= seconds) ?? sorted.at(-1)!
}

/** The size that is made whose shape, and then whose area, is nearest. */
export function sizeFor(
  wanted: { width: number; height: number },
  made: readonly string[] | undefined,
): { width: number; height: number } {
  if (made === undefined) return { width: wanted.width, height: wanted.height }
  const sizes = made.map((text) => {
    const [width, height] = text.split('x').map(Number) as [number, number]
    return { width, height }
  })
  const logRatio = ({ width, height }: { width: number; height: number }) => Math.log(width / height)
  const logArea = ({ width, height }: { width: number; height: number }) => Math.log(width * height)
  const distance = (size: { width: number; height: number }) =>
    4 * Math.abs(logRatio(size) - logRatio(wanted)) + Math.abs(logArea(size) - logArea(wanted))
  return sizes.reduce((best, size) => (distance(size) < distance(best) ? size : best))
}

export type VideoJob =
  | { status: 'under way'; percent: number | null }
  | { status: 'completed' }
  | { status: 'failed'; code: string; message: string }

/** A job as `GET /v1/videos/{id}` has it; null when it is none. */
export function readJob(body: unknown): VideoJob | null {
  if (typeof body !== 'object' || body === null) return null
  const { status, progress, error } = body as Record<string, unknown>
  switch (status) {
    case 'queued':
    case 'in_progress':
      return { status: 'under way', percent: typeof progress === 'number' ? progress : null }
    case 'completed':
      return { status }
    case 'failed':
    case 'cancelled':
    case 'deleted': {
      const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
      return { status: 'failed', code: String(code ?? status).slice(0, 100), message: textOf(message) }
    }
    default:
      return null
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, 500) : '')

export function failureOf(engine: string, { code, message }: VideoJob & { status: 'failed' }): EngineError {
  const words = `The engine ${engine} failed the video: ${message || code}`
  // The code of a refusal by what the prompt or the image shows, with OpenAI and those who copied it.
  if (/moderation|content_policy|safety/i.test(code)) {
    return new EngineError(words, { retryable: false, reason: 'inappropriate_content' })
  }
  return new EngineError(words, { retryable: true })
}

export type Submitted = { id: string } | 'busy' | { failure: EngineError } | null

/** What the answer to a submission means; null when it makes no sense. */
export function readSubmitted(engine: string, status: number, body: unknown): Submitted {
  if (status === 429 || status === 502 || status === 503) return 'busy'
  const { id, error, detail } = (body ?? {}) as { id?: unknown; error?: { message?: unknown }; detail?: unknown }
  if (status >= 200 && status < 300) return typeof id === 'string' && id !== '' ? { id: id.slice(0, 200) } : null
  const words = `The engine ${engine} did not take the video (${status}): ${textOf(error?.message) || textOf(detail)}`
  if (status === 401 || status === 403 || status === 404) {
    return { failure: new EngineError(words, { retryable: false, blame: 'engine' }) }
  }
  if (status === 400 || status === 413 || status === 422)
    return { failure: new EngineError(words, { retryable: false }) }
  return { failure: new EngineError(words, { retryable: true }) }
}
