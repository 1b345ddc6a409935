// A model beside the built-in ones, with fields, lengths and sizes of its own.
import { z } from 'zod'
import { mebibytes } from '../../../src/contract/limits.ts'
import type { FrameRequest, ShortSide, VideoModel, VideoRequest } from '../../../src/models/model.ts'
import { withoutUndefined } from '../../../src/platform/without-undefined.ts'
import { mapParsed, parseWith } from '../../../src/schema/validation.ts'
import { httpUrl, list, numberBetween, numberOr, requiredText, secondsAmong } from '../../../src/schema/wire-types.ts'

const lengths = [4, 6, 8]
const shortSides = { hd: 720, uhd: 2160 } as const satisfies Record<string, ShortSide>
const text = requiredText(300)

const inputSchema = z
  .object({
    text,
    start_picture: httpUrl(),
    end_picture: httpUrl().nullish(),
    length: secondsAmong(lengths).nullish(),
    quality: z.enum(['hd', 'uhd']).nullish(),
    sound: z.boolean().nullish(),
    scenes: list(z.object({ text, share: numberBetween(1, 8) }), 0, 4, 'scenes').nullish(),
  })
  .meta({ title: 'Input of acme/third-take' })

export const thirdModel: VideoModel = {
  id: 'acme/third-take',
  kind: 'video',
  title: 'Third take',
  description: 'Turns a picture into a video of 4, 6 or 8 seconds.',
  inputSchema,
  extensionSchema: z.object({ prompt: text, duration: secondsAmong(lengths).nullish() }),
  example: { text: 'A sailing boat leaves the harbour', start_picture: 'https://example.com/boat.jpg', length: 6 },
  tariff: {
    defaults: { hd: 3, uhd: 7 },
    creditsFor: ({ size, seconds }, prices) => seconds * prices[size.shortSide === 720 ? 'hd' : 'uhd']!,
  },
  parse: (input) => mapParsed(parseWith(inputSchema, input, 'input', { taker: 'this model' }), requestOf),
  toWire: ({ prompt, firstFrame, lastFrame, seconds, resolution, audio, shots }) =>
    withoutUndefined({
      text: prompt,
      start_picture: firstFrame,
      end_picture: lastFrame,
      length: typeof seconds === 'number' ? (lengths.find((length) => length >= seconds) ?? seconds) : seconds,
      quality: resolution === undefined ? undefined : resolution === '720p' ? 'hd' : 'uhd',
      sound: audio,
      scenes: shots?.map((shot) => ({ text: shot.prompt, share: Number(shot.seconds) })),
    }),
  fields: { prompt: 'text', seconds: 'length', firstFrame: ['start_picture'], lastFrame: 'end_picture' },
}

function requestOf(input: z.output<typeof inputSchema>): VideoRequest {
  return {
    prompt: input.text,
    negativePrompt: '',
    guidance: 0.5,
    seconds: numberOr(input.length, 4),
    size: { shortSide: shortSides[input.quality ?? 'hd'], ratio: 'auto' },
    firstFrame: frame(input.start_picture),
    lastFrame: input.end_picture ? frame(input.end_picture) : null,
    shots: (input.scenes ?? []).map((scene) => ({ prompt: scene.text, seconds: scene.share })),
    planShots: false,
    elements: [],
    audio: input.sound === true,
  }
}

const frame = (url: string): FrameRequest => ({ url, bytesMax: mebibytes(10), ratio: null })
