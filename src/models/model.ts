// What a video model is to the rest of the service, and the normalised form of an accepted request.
// Each model has a file of its own; the catalogue lists them. Engines never see wire fields, only that form.

import type { z } from 'zod'
import type { Parsed } from '../schema/validation.ts'
import { wholeNumberBetween } from '../schema/wire-types.ts'

/** The length of a video whose request names none. */
export const secondsDefault = 5

/** The field by which a request asks for the same pictures again. */
export const seedField = wholeNumberBetween(0, 2 ** 32 - 1)
  .nullish()
  .meta({
    description:
      'The same request with the same seed gives the same pictures on the same engine. Left out: the engine chooses one.',
  })

export function seedIn({ seed }: { seed?: number | null }): { seed?: number } {
  return typeof seed === 'number' ? { seed } : {}
}

export interface VideoModel {
  readonly id: string
  readonly kind: 'video'
  readonly title: string
  readonly description: string
  /** Wire schema of `input`, for OpenAPI and forms; it checks and changes nothing. */
  readonly inputSchema: z.ZodObject
  /** The prompt and duration of a request that extends a video of this model. */
  readonly extensionSchema: z.ZodType<{ prompt: string; duration?: string | number | null }>
  /** A valid `input`. */
  readonly example: Readonly<Record<string, unknown>>
  readonly tariff: Tariff
  /** The model whose fields and rules these are, where an operator declared this one on another's schema. */
  readonly like?: string
  parse(input: unknown): Parsed<VideoRequest>
  /**
   * Writes an `input` of this model, for requests that arrive in another form or go to another service. What the model has
   * no field for is left out. Whether the result is accepted is for `parse` to say.
   */
  toWire(request: WireRequest): Record<string, unknown>
  readonly fields: WireFields
}

/**
 * A request in words that all models share; what is undefined was not asked for. Numbers are changed to the nearest ones
 * that the model takes, texts that a client wrote are passed on as they are.
 */
export interface WireRequest {
  prompt?: string
  negativePrompt?: string
  guidance?: number
  seed?: number
  seconds?: number | string
  /** `720p`, `1080p` or `4k`. */
  resolution?: string
  ratio?: string
  /** URLs, or whatever stands for them until they are known. */
  firstFrame?: string
  lastFrame?: string
  /** An empty list: there are none, and the length is not theirs. */
  shots?: { prompt: string; seconds: number | string }[]
  planShots?: boolean
  elements?: WireElement[]
  audio?: boolean
}

export interface WireElement {
  name: string
  description: string
  urls: string[]
  audioUrls?: string[]
  startMs?: number
  endMs?: number
}

/** The names of fields of `input` that are read or reported elsewhere. */
export interface WireFields {
  prompt: string
  seconds: string
  /** All spellings of one field. It may hold a list: the first frame and the last. */
  firstFrame: readonly string[]
  lastFrame?: string
  /** The list of elements, and the fields of an entry that hold URLs. */
  elements?: { list: string; urls: readonly string[] }
}

/** The resolution whose short side is nearest above `shortSide`. */
export function resolutionOf(shortSide: number): '720p' | '1080p' | '4k' {
  return shortSide > 1080 ? '4k' : shortSide > 720 ? '1080p' : '720p'
}

/** What a model costs: whole credits by the names of its price list. */
interface Tariff {
  readonly defaults: PriceList
  /** Whole credits for a request, rounded up. `prices` has every name that `defaults` has. */
  creditsFor(request: VideoRequest, prices: PriceList): number
}
export type PriceList = Readonly<Record<string, number>>

/** A validated request, the same for all video models; small and serialisable, stored with its task. */
export interface VideoRequest {
  /** As sent. */
  prompt: string
  negativePrompt: string
  /** How strongly the prompt is followed, 0 to 1 in steps of 0.1. */
  guidance: number
  /** 0 to 2³² − 1; left out, the engine chooses one. */
  seed?: number
  /** Whole seconds, or to the millisecond where the length follows from the shots. */
  seconds: number
  size: { shortSide: ShortSide; ratio: 'auto' | '16:9' | '9:16' | '1:1' }
  firstFrame: FrameRequest
  lastFrame: FrameRequest | null
  /** Of an extension: what the engine reported as `momentum` of the video that it continues. */
  momentum?: Record<string, number>
  /** Of an extension: the image that the engine made as `wideFrame` of that video, and where the last frame lies in it. */
  wideFrame?: { image: FrameRequest; area: { x: number; y: number; width: number; height: number } }
  /** Their seconds add up to `seconds`; empty for a single shot. */
  shots: { prompt: string; seconds: number }[]
  /** What they added up to, where they were stretched or shrunk to that length. */
  shotsFittedFrom?: number
  /** The engine may plan shots of its own. */
  planShots: boolean
  elements: ElementRequest[]
  audio: boolean
}

export type ShortSide = 720 | 1080 | 2160

/** An image to be fetched, and its limits. */
export interface FrameRequest {
  url: string
  bytesMax: number
  /** Width over height, bounds included; null where every ratio is accepted. */
  ratio: { min: number; max: number } | null
}

/** A subject that prompts name as `@name`. */
export interface ElementRequest {
  name: string
  description: string
  /** Images or videos. Of a video, the part from `startMs` to `endMs` is captured, or at most `captureMsMax` from there. */
  urls: { url: string; startMs: number; endMs: number | null }[]
  audioUrls: string[]
}
