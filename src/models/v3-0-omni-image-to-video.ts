// The model `videomodel-3.0-omni/image-to-video`: first and last frame, shots, subjects, sound, three sizes.
// Owns its wire fields, the rules between them, what they mean and its default prices.

import { z } from 'zod'
import { mebibytes } from '../contract/limits.ts'
import { withoutUndefined } from '../platform/without-undefined.ts'
import { mapParsed, parseWith, withRules } from '../schema/validation.ts'
import { httpUrl, list, numberOr, requiredText, secondsBetween } from '../schema/wire-types.ts'
import {
  type FrameRequest,
  type PriceList,
  type ShortSide,
  secondsDefault,
  seedField,
  seedIn,
  type VideoModel,
  type VideoRequest,
  type WireRequest,
} from './model.ts'
import { fitShots, lengthOfShots, shotList, shotsMax, sumOfShots, tooShort, wireShot } from './shots.ts'
import { elementFields, elementList, elementRequests, wireElement } from './subject-elements.ts'

const length = { min: 3, max: 15 }
const resolutionDefault = '720p'
const imageBytesMax = mebibytes(50)
const imageRatio = { min: 0.4, max: 2.5 }
const shortSides: Record<'720p' | '1080p' | '4k', ShortSide> = { '720p': 720, '1080p': 1080, '4k': 2160 }

const prompt = requiredText(3072).meta({
  description: 'What the video shows; subjects of `elements` are named as @name. Up to 3072 characters.',
})
const duration = secondsBetween(length.min, length.max)
  .nullish()
  .meta({
    description:
      'Length in whole seconds, 3 to 15. Left out: 5, or with customize_multi_shots the ' +
      'sum of the shots, held within 3 to 15.',
    default: '5',
  })

function frameUrls() {
  return list(httpUrl(), 1, 2, 'URLs').nullish()
}

const inputSchema = withRules(
  z.object({
    prompt,
    image_url: frameUrls().meta({
      description:
        'Required, under this name or as image_urls: URL of the first frame, and optionally of the last. JPEG or ' +
        'PNG, at most 50 MB each, aspect ratio 0.4 to 2.5.',
    }),
    image_urls: frameUrls().meta({
      description: 'Another spelling of image_url. Where both are given they must be equal.',
    }),
    duration,
    resolution: z.enum(['720p', '1080p', '4k']).nullish().meta({
      description: 'Size of the video.',
      default: resolutionDefault,
    }),
    aspect_ratio: z
      .enum(['16:9', '9:16', '1:1', 'auto'])
      .nullish()
      .meta({
        description:
          'auto follows the first frame. 16:9, 9:16 and 1:1 need customize_multi_shots. Left out: auto, or 16:9 with ' +
          'customize_multi_shots.',
      }),
    customize_multi_shots: z.boolean().nullish().meta({
      description: 'The shots are those of multi_prompt. Not together with prefer_multi_shots.',
      default: false,
    }),
    prefer_multi_shots: z.boolean().nullish().meta({
      description: 'The service plans shots of its own. Not together with customize_multi_shots.',
      default: false,
    }),
    multi_prompt: shotList.nullish().meta({
      description: 'Up to 6 shots; required, and used, when customize_multi_shots is true.',
    }),
    elements: elementList.nullish().meta({
      description: 'Up to 3 subjects. Entries with the same name are one subject with the files of both.',
      default: [],
    }),
    audio: z.boolean().nullish().meta({
      description: 'Whether the video has a sound track.',
      default: false,
    }),
    seed: seedField,
  }),
  (fields, sound, report) => {
    checkFrames(fields, sound, report)
    checkShots(fields, sound, report)
  },
).meta({ title: 'Input of videomodel-3.0-omni/image-to-video' })

type Input = z.output<typeof inputSchema>
type Sound = (...names: (keyof Input)[]) => boolean
type Report = (path: PropertyKey[], message: string) => void

function checkFrames(fields: Input, sound: Sound, report: Report): void {
  if (!sound('image_url', 'image_urls')) return
  const { image_url: one, image_urls: other } = fields
  if (!one && !other) report(['image_url'], 'is required (also spelled image_urls)')
  else if (one && other && (one.length !== other.length || one.some((url, index) => url !== other[index]))) {
    report(['image_urls'], 'must be the same as image_url, or one of the two left out')
  }
}

function checkShots(fields: Input, sound: Sound, report: Report): void {
  const { customize_multi_shots: customize, prefer_multi_shots: prefer, multi_prompt: shots } = fields
  if (!sound('customize_multi_shots')) return
  const ratio = fields.aspect_ratio ?? 'auto'
  if (!customize && sound('aspect_ratio') && ratio !== 'auto') {
    report(['aspect_ratio'], `must be "auto" unless customize_multi_shots is true (it is "${ratio}")`)
  }
  if (customize && prefer === true) {
    report(['prefer_multi_shots'], 'must not be true together with customize_multi_shots')
  }
  if (customize && sound('multi_prompt') && !shots?.length) {
    report(['multi_prompt'], `must have 1 to ${shotsMax} shots when customize_multi_shots is true`)
  }
  if (customize && shots?.length && sound('multi_prompt', 'duration')) {
    const seconds = numberOr(fields.duration, lengthOfShots(shots, length))
    const problem = tooShort(shots, seconds)
    if (problem !== null) report(['multi_prompt'], problem)
  }
}

export const v30OmniImageToVideo: VideoModel = {
  id: 'videomodel-3.0-omni/image-to-video',
  kind: 'video',
  title: 'v3.0 omni, image to video',
  description: 'Turns one or two images into a video of 3 to 15 seconds, with shots, subjects and sound.',
  inputSchema,
  extensionSchema: z.object({ prompt, duration }),
  example: {
    prompt: 'The dog @element_dog runs along the beach, the camera keeps beside it',
    image_url: ['https://example.com/beach.jpg'],
    duration: '8',
    resolution: '1080p',
    aspect_ratio: '16:9',
    customize_multi_shots: true,
    prefer_multi_shots: false,
    multi_prompt: [
      { prompt: 'Wide shot of the beach, @element_dog far away', duration: 3 },
      { prompt: '@element_dog runs past, close to the camera', duration: 5 },
    ],
    elements: [
      {
        name: 'element_dog',
        description: 'A brown dog with a red collar',
        element_input_urls: ['https://example.com/dog-front.jpg', 'https://example.com/dog-side.jpg'],
      },
    ],
    audio: false,
  },
  tariff: {
    defaults: { '720p': 14, '1080p': 18, '4k': 67, '720p+audio': 18, '1080p+audio': 23, '4k+audio': 67 },
    creditsFor: creditsBySecond,
  },
  parse: (input) => mapParsed(parseWith(inputSchema, input, 'input', { taker: 'this model' }), requestOf),
  toWire,
  fields: {
    prompt: 'prompt',
    seconds: 'duration',
    firstFrame: ['image_urls', 'image_url'],
    elements: { list: 'elements', urls: elementFields },
  },
}

function requestOf(input: Input): VideoRequest {
  const [firstUrl, lastUrl] = (input.image_url ?? input.image_urls)!
  const shots = input.customize_multi_shots ? (input.multi_prompt ?? []) : []
  const seconds = numberOr(input.duration, shots.length > 0 ? lengthOfShots(shots, length) : secondsDefault)
  return {
    prompt: input.prompt,
    negativePrompt: '',
    guidance: 0.5,
    ...seedIn(input),
    seconds,
    size: {
      shortSide: shortSides[input.resolution ?? resolutionDefault],
      ratio: input.aspect_ratio ?? (input.customize_multi_shots ? '16:9' : 'auto'),
    },
    firstFrame: frame(firstUrl!),
    lastFrame: lastUrl === undefined ? null : frame(lastUrl),
    shots: fitShots(shots, seconds),
    ...(shots.length > 0 && sumOfShots(shots) !== seconds && { shotsFittedFrom: sumOfShots(shots) }),
    planShots: input.prefer_multi_shots === true,
    elements: elementRequests(input.elements ?? []),
    audio: input.audio === true,
  }
}

function toWire({ seconds, shots, firstFrame, lastFrame, ...asked }: WireRequest): Record<string, unknown> {
  const frames = [firstFrame, lastFrame].filter((url) => url !== undefined)
  const hasShots = shots !== undefined && shots.length > 0
  const followsShots = hasShots && typeof seconds === 'number' && !Number.isInteger(seconds)
  return withoutUndefined({
    prompt: asked.prompt,
    image_urls: frames.length > 0 ? frames : undefined,
    duration: followsShots ? undefined : typeof seconds === 'number' ? wireLength(seconds) : seconds,
    resolution: asked.resolution,
    aspect_ratio: shots?.length === 0 ? 'auto' : asked.ratio,
    customize_multi_shots: shots && hasShots,
    prefer_multi_shots: asked.planShots === undefined ? undefined : asked.planShots && !hasShots,
    multi_prompt: hasShots ? shots.map(wireShot) : undefined,
    elements: asked.elements?.map(wireElement),
    audio: asked.audio,
    seed: asked.seed,
  })
}

const wireLength = (seconds: number) => String(Math.max(length.min, Math.ceil(seconds)))

function frame(url: string): FrameRequest {
  return { url, bytesMax: imageBytesMax, ratio: imageRatio }
}

function creditsBySecond(request: VideoRequest, prices: PriceList): number {
  const resolution = request.size.shortSide === 2160 ? '4k' : `${request.size.shortSide}p`
  const perSecond = prices[request.audio ? `${resolution}+audio` : resolution]!
  // Counting in milliseconds keeps 14 × 3.3 s from becoming 46.2 and a bit of floating-point noise.
  return Math.ceil((perSecond * Math.round(request.seconds * 1000)) / 1000)
}
