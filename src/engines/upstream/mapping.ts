// Translates plans into requests of the task API, and its records into results. Pure. The upstream service is another
// Dailies or any service with the same API (createTask, recordInfo, cancelTask, files/upload).
import { blamesRequest } from '../../contract/tasks/fail-reasons.ts'
import type { InputFile, KnownFailure, Plan } from '../engine.ts'
import { EngineError } from '../engine.ts'
import { refusalOf } from '../remote/failures.ts'

/** The URL at which the upstream service finds an input file. */
type UrlOf = (input: InputFile) => string

export interface CreateBody {
  model: string
  input: Record<string, unknown>
}

/** `schema` is the built-in model whose fields the upstream service's model has. */
export function createBody(plan: Plan, model: string, schema: string, urlOf: UrlOf): CreateBody {
  return { model, input: schema === turbo ? turboInput(plan, urlOf) : omniInput(plan, urlOf) }
}

const turbo = 'videomodel/v2-5-turbo-image-to-video-pro'

function turboInput(plan: Plan, urlOf: UrlOf): Record<string, unknown> {
  return {
    prompt: plan.prompt,
    image_url: urlOf(plan.firstFrame),
    ...(plan.lastFrame ? { tail_image_url: urlOf(plan.lastFrame) } : {}),
    duration: String(plan.seconds),
    ...(plan.negativePrompt ? { negative_prompt: plan.negativePrompt } : {}),
    cfg_scale: plan.guidance,
  }
}

function omniInput(plan: Plan, urlOf: UrlOf): Record<string, unknown> {
  const { size } = plan
  const shortSide = 'shortSide' in size ? size.shortSide : Math.min(size.width, size.height)
  const custom = plan.shots.length > 0
  const isWhole = Number.isInteger(plan.seconds)
  return {
    prompt: plan.prompt,
    image_urls: [plan.firstFrame, ...(plan.lastFrame ? [plan.lastFrame] : [])].map(urlOf),
    // A length that is no whole number follows from the shots.
    ...(isWhole ? { duration: String(plan.seconds) } : {}),
    resolution: shortSide > 1080 ? '4k' : shortSide > 720 ? '1080p' : '720p',
    aspect_ratio: custom && 'ratio' in size ? size.ratio : 'auto',
    customize_multi_shots: custom,
    prefer_multi_shots: plan.planShots && !custom,
    ...(custom ? { multi_prompt: plan.shots.map(wireShot) } : {}),
    elements: plan.elements.map((element) => elementInput(element, urlOf)),
    audio: plan.audio,
  }
}

/** Shots that were shortened to fit may fall below what the wire takes; their proportions survive the bounds. */
function wireShot({ prompt, seconds }: { prompt: string; seconds: number }): Record<string, unknown> {
  return { prompt, duration: Math.min(15, Math.max(1, seconds)) }
}

function elementInput({ name, description, material, audio }: Plan['elements'][number], urlOf: UrlOf) {
  const video = material.find(({ kind }) => kind === 'video')
  return {
    name,
    description,
    element_input_urls: material.map(urlOf),
    ...(audio.length > 0 ? { element_input_audio_urls: audio.map(urlOf) } : {}),
    ...(video?.startMs === undefined ? {} : { start_time: video.startMs }),
    ...(video?.endMs === undefined ? {} : { end_time: video.endMs }),
  }
}

/** Everything of a plan that the upstream service needs to fetch, each file once. */
export function inputFilesOf(plan: Plan): InputFile[] {
  const all = [
    plan.firstFrame,
    ...(plan.lastFrame ? [plan.lastFrame] : []),
    ...plan.elements.flatMap(({ material, audio }) => [...material, ...audio]),
  ]
  return [...new Map(all.map((input) => [input.file, input])).values()]
}

export type UpstreamState =
  | { state: 'under way'; percent: number }
  | { state: 'success'; videoUrl: string }
  | { state: 'fail'; code: string; reason: string; message: string }

/** A record as `recordInfo` and the events have it; null when it is not one. */
export function readRecord(record: unknown): UpstreamState | null {
  if (typeof record !== 'object' || record === null) return null
  const { state, progress, resultJson, videoInfo, failCode, failReason, failMsg } = record as Record<string, unknown>
  switch (state) {
    case 'wait':
    case 'waiting':
    case 'queueing':
    case 'queuing':
    case 'generating':
      return { state: 'under way', percent: typeof progress === 'number' ? progress : 0 }
    case 'fail':
      return { state, code: text(failCode), reason: text(failReason), message: text(failMsg) }
    case 'success': {
      const videoUrl = firstUrl(resultJson) ?? text((videoInfo as { videoUrl?: unknown } | null)?.videoUrl)
      return videoUrl === '' ? null : { state, videoUrl }
    }
    default:
      return null
  }
}

function firstUrl(resultJson: unknown): string | null {
  try {
    const url = (JSON.parse(String(resultJson)) as { resultUrls?: unknown[] }).resultUrls?.[0]
    return typeof url === 'string' ? url : null
  } catch {
    return null
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 1000) : '')

/**
 * The upstream service's failure as an engine error, with its code and message. A failure that the request caused ends the
 * task; one that the upstream service caused may be attempted again.
 */
export function failureOf(engine: string, { code, reason, message }: UpstreamState & { state: 'fail' }): EngineError {
  const words = message || `The engine ${engine} failed the task with code ${code || 'unknown'}.`
  if (blamesRequest(reason)) {
    return new EngineError(words, { retryable: false, reason: reason as KnownFailure })
  }
  if (code === '451') return new EngineError(words, { retryable: false, reason: 'image_fetch_failed' })
  // A service that names no reasons refuses by 422 mostly for what the prompt or the images show.
  if (code === '422') return new EngineError(words, { retryable: false, reason: 'inappropriate_content' })
  if (code === '408') return new EngineError(words, { retryable: false, blame: 'engine', reason: 'upstream_silent' })
  if (reason === 'generation_limit') {
    return new EngineError(words, { retryable: false, blame: 'engine', reason: 'generation_limit' })
  }
  if (reason === 'canceled') return new EngineError(words, { retryable: true })
  // The upstream service has used up its own attempts, so a new task there would fail the same way.
  if (code === '501') return new EngineError(words, { retryable: false, blame: 'engine' })
  return new EngineError(words, { retryable: true })
}

type CreateAnswer = { taskId: string } | 'busy' | { failure: EngineError } | null

/** What the response to a creation means; null when it cannot be read. */
export function readCreated(engine: string, status: number, body: unknown): CreateAnswer {
  const { code, msg, data } = (body ?? {}) as { code?: unknown; msg?: unknown; data?: { taskId?: unknown } | null }
  const number = typeof code === 'number' ? code : status
  if (number === 200) return typeof data?.taskId === 'string' ? { taskId: data.taskId.slice(0, 200) } : null
  const words = refusalOf(engine, 'task', number, text(msg))
  if (number === 429 || number === 455 || number === 408 || number >= 520 || number === 502 || number === 503)
    return 'busy'
  // A wrong key, no credits there, a model that is off: the operator has to correct it, not the client.
  if (number === 401 || number === 402 || number === 433 || number === 404 || number === 505) {
    return { failure: new EngineError(words, { retryable: false, blame: 'engine' }) }
  }
  if (number === 422) return { failure: new EngineError(words, { retryable: false }) }
  return number >= 500 ? { failure: new EngineError(words, { retryable: true }) } : null
}
