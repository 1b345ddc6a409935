// The model `videomodel/v2-5-turbo-image-to-video-pro`: one image, optionally a last frame, 5 or 10 seconds.
// Owns its wire fields, their rules, what they mean and its default prices.

import { z } from 'zod'
import { mebibytes } from '../contract/limits.ts'
import { withoutUndefined } from '../platform/without-undefined.ts'
import { mapParsed, parseWith } from '../schema/validation.ts'
import {
  httpUrl,
  numberOr,
  optionalHttpUrl,
  optionalText,
  requiredText,
  secondsAmong,
  tenthOr,
  tenths,
  textOrNull,
} from '../schema/wire-types.ts'
import { type FrameRequest, secondsDefault, seedField, seedIn, type VideoModel, type VideoRequest } from './model.ts'

const lengths = [5, 10]
const guidanceDefault = 0.5
const imageBytesMax = mebibytes(10)

const prompt = requiredText(2500).meta({
  description: 'What the video shows. Up to 2500 characters.',
})
const duration = secondsAmong(lengths).nullish().meta({
  description: 'Length in seconds, 5 or 10.',
  default: '5',
})

const inputSchema = z
  .object({
    prompt,
    image_url: httpUrl().meta({
      description: 'The first frame: URL of a JPEG or PNG image of at most 10 MB.',
    }),
    tail_image_url: optionalHttpUrl().meta({
      description: 'The last frame: URL of a JPEG or PNG image of at most 10 MB.',
    }),
    duration,
    negative_prompt: optionalText(500).meta({
      description: 'What the video should not show. Up to 500 characters.',
    }),
    cfg_scale: tenths().nullish().meta({
      description: 'How closely the prompt is followed, 0 to 1 in steps of 0.1.',
      default: guidanceDefault,
    }),
    seed: seedField,
  })
  .meta({ title: 'Input of videomodel/v2-5-turbo-image-to-video-pro' })

export const v25TurboImageToVideoPro: VideoModel = {
  id: 'videomodel/v2-5-turbo-image-to-video-pro',
  kind: 'video',
  title: 'v2.5 turbo, image to video, pro',
  description: 'Turns an image, optionally with a last frame, into a video of 5 or 10 seconds.',
  inputSchema,
  extensionSchema: z.object({ prompt, duration }),
  example: {
    prompt: 'A sailing boat leaves the harbour at sunrise, the camera follows slowly',
    image_url: 'https://example.com/boat.jpg',
    tail_image_url: 'https://example.com/boat-at-sea.jpg',
    duration: '5',
    negative_prompt: 'blur, distortion',
    cfg_scale: 0.5,
  },
  tariff: {
    defaults: { '5': 42, '10': 84 },
    creditsFor: (request, prices) => prices[request.seconds]!,
  },
  parse: (input) => mapParsed(parseWith(inputSchema, input, 'input', { taker: 'this model' }), requestOf),
  toWire: ({ prompt, firstFrame, lastFrame, seconds, negativePrompt, guidance, seed }) =>
    withoutUndefined({
      prompt,
      image_url: firstFrame,
      tail_image_url: lastFrame,
      duration: typeof seconds === 'number' ? String(lengths.find((length) => length >= seconds) ?? seconds) : seconds,
      negative_prompt: negativePrompt,
      cfg_scale: guidance,
      seed,
    }),
  fields: { prompt: 'prompt', seconds: 'duration', firstFrame: ['image_url'], lastFrame: 'tail_image_url' },
}

function requestOf(input: z.output<typeof inputSchema>): VideoRequest {
  const tailUrl = textOrNull(input.tail_image_url)
  return {
    prompt: input.prompt,
    negativePrompt: input.negative_prompt ?? '',
    guidance: tenthOr(input.cfg_scale, guidanceDefault),
    ...seedIn(input),
    seconds: numberOr(input.duration, secondsDefault),
    size: { shortSide: 720, ratio: 'auto' },
    firstFrame: frame(input.image_url),
    lastFrame: tailUrl === null ? null : frame(tailUrl),
    shots: [],
    planShots: false,
    elements: [],
    audio: false,
  }
}

function frame(url: string): FrameRequest {
  return { url, bytesMax: imageBytesMax, ratio: null }
}
