// Translates plans into requests of the task API, and its records into results. Pure. The upstream service is another
// Dailies or any service with the same API (createTask, recordInfo, cancelTask, files/upload).
import { blamesRequest } from '../../contract/tasks/fail-reasons.ts'
import { resolutionOf, type WireElement, type WireRequest } from '../../models/model.ts'
import type { InputFile, KnownFailure, Plan } from '../engine.ts'
import { EngineError } from '../engine.ts'
import { refusalOf } from '../remote/failures.ts'

/** The URL at which the upstream service finds an input file. */
type UrlOf = (input: InputFile) => string

/** The plan in words that all models share; each model writes it in its own fields. */
export function wireRequest(plan: Plan, urlOf: UrlOf): WireRequest {
  const { size, negativePrompt, lastFrame } = plan
  return {
    prompt: plan.prompt,
    negativePrompt: negativePrompt || undefined,
    guidance: plan.guidance,
    seed: plan.seed,
    seconds: plan.seconds,
    resolution: resolutionOf('shortSide' in size ? size.shortSide : Math.min(size.width, size.height)),
    ratio: 'ratio' in size ? size.ratio : 'auto',
    firstFrame: urlOf(plan.firstFrame),
    lastFrame: lastFrame ? urlOf(lastFrame) : undefined,
    shots: plan.shots,
    planShots: plan.planShots,
    elements: plan.elements.map((element) => wireElement(element, urlOf)),
    audio: plan.audio,
  }
}

function wireElement({ name, description, material, audio }: Plan['elements'][number], urlOf: UrlOf): WireElement {
  const video = material.find(({ kind }) => kind === 'video')
  return {
    name,
    description,
    urls: material.map(urlOf),
    audioUrls: audio.length > 0 ? audio.map(urlOf) : undefined,
    startMs: video?.startMs,
    endMs: video?.endMs,
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
