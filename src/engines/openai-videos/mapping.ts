// A clip in the OpenAI videos API, and what the API's jobs mean. Pure. Run: SGLang-Diffusion (cce0a124) and vLLM-Omni
// (ae7bee0c), their own routes with a stub model. Read: openai-node 6.49 (`resources/videos`), LiteLLM. They share
// prompt, seconds, size and input_reference; width, height, fps, num_frames, seed and negative_prompt are extensions.

import type { Size } from '../../video/picture/output-size.ts'
import { EngineError } from '../engine.ts'
import { clipSize } from '../remote/clip-size.ts'
import { refusalOf, type Submitted } from '../remote/failures.ts'
import type { ClipPlan } from '../remote/generator.ts'
import type { OpenaiVideosSettings } from './settings.ts'

type FormFields = Record<string, string>

/** The fields of the form besides its images. */
export function formFields(clip: ClipPlan, settings: OpenaiVideosSettings): FormFields {
  const { width, height } = sizeFor(clip, settings)
  const extra: FormFields = settings.extraFields
    ? {
        width: String(width),
        height: String(height),
        seed: String(clip.seed),
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

/** Which field of the form gets which image. */
export function imageFields(
  clip: Pick<ClipPlan, 'firstFramePath' | 'lastFramePath'>,
  { lastFrameField, framesField }: Pick<OpenaiVideosSettings, 'lastFrameField' | 'framesField'>,
): { field: string; path: string }[] {
  const { firstFramePath, lastFramePath } = clip
  const takesBoth = lastFramePath !== null && framesField !== undefined
  const first = { field: takesBoth ? framesField : 'input_reference', path: firstFramePath }
  const lastField = framesField ?? lastFrameField
  return lastFramePath === null || lastField === undefined
    ? [first]
    : [first, { field: lastField, path: lastFramePath }]
}

/** The shortest length that is made and long enough, or the longest there is. */
export function secondsFor(seconds: number, made: readonly number[] | undefined): number {
  if (made === undefined) return Math.ceil(seconds)
  const sorted = [...made].sort((a, b) => a - b)
  return sorted.find((each) => each >= seconds) ?? sorted.at(-1)!
}

/** The size to request: of the listed sizes the nearest in shape, then in area; otherwise a multiple of the step. */
export function sizeFor(
  wanted: Size,
  { sizes, sizeStep, shortSide }: Pick<OpenaiVideosSettings, 'sizes' | 'sizeStep' | 'shortSide'>,
): Size {
  if (sizes === undefined) return clipSize(wanted, shortSide ?? Number.POSITIVE_INFINITY, sizeStep)
  const made = sizes.map((text) => {
    const [width, height] = text.split('x').map(Number) as [number, number]
    return { width, height }
  })
  const logRatio = ({ width, height }: Size) => Math.log(width / height)
  const logArea = ({ width, height }: Size) => Math.log(width * height)
  const distance = (size: Size) =>
    4 * Math.abs(logRatio(size) - logRatio(wanted)) + Math.abs(logArea(size) - logArea(wanted))
  return made.reduce((best, size) => (distance(size) < distance(best) ? size : best))
}

type VideoJob =
  | { status: 'under way'; percent: number | null }
  /** `url`: where the video lies when `/content` does not serve it. */
  | { status: 'completed'; url: string | null }
  | { status: 'failed'; code: string; message: string }

/** A job as `GET /v1/videos/{id}` has it; null when the body is not one. */
export function readJob(body: unknown): VideoJob | null {
  if (typeof body !== 'object' || body === null) return null
  const { status, progress, error, url } = body as Record<string, unknown>
  switch (status) {
    case 'queued':
    case 'in_progress':
      return { status: 'under way', percent: typeof progress === 'number' ? progress : null }
    case 'completed':
      return { status, url: typeof url === 'string' && url !== '' ? url : null }
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

/** The code by which OpenAI, and servers that follow it, refuse what a prompt or an image shows. */
const isModeration = (code: string) => /moderation|content_policy|safety/i.test(code)

export function failureOf(engine: string, { code, message }: VideoJob & { status: 'failed' }): EngineError {
  const text = `The engine ${engine} failed the video: ${message || code}`
  if (isModeration(code)) {
    return new EngineError(text, { retryable: false, reason: 'inappropriate_content' })
  }
  return new EngineError(text, { retryable: true })
}

export function readSubmitted(engine: string, status: number, body: unknown): Submitted {
  if (status === 429 || status === 502 || status === 503) return 'busy'
  const { id, error, detail } = (body ?? {}) as {
    id?: unknown
    error?: { code?: unknown; message?: unknown }
    detail?: unknown
  }
  if (status >= 200 && status < 300) return typeof id === 'string' && id !== '' ? { id: id.slice(0, 200) } : null
  const text = refusalOf(engine, 'video', status, textOf(error?.message) || detailOf(detail))
  if (isModeration(textOf(error?.code))) {
    return { failure: new EngineError(text, { retryable: false, reason: 'inappropriate_content' }) }
  }
  // A wrong key, no credits there, another address: the operator has to correct it, not the client.
  if (status === 401 || status === 402 || status === 403 || status === 404) {
    return { failure: new EngineError(text, { retryable: false, blame: 'engine' }) }
  }
  if (status === 400 || status === 413 || status === 422)
    return { failure: new EngineError(text, { retryable: false }) }
  return { failure: new EngineError(text, { retryable: true }) }
}

/** FastAPI's servers explain a refused field in a list. */
function detailOf(detail: unknown): string {
  if (!Array.isArray(detail)) return textOf(detail)
  const lines = detail.map((each) => {
    const { loc, msg } = (each ?? {}) as { loc?: unknown; msg?: unknown }
    return `${Array.isArray(loc) ? loc.join('.') : ''}: ${textOf(msg)}`
  })
  return lines.join('; ').slice(0, 500)
}
