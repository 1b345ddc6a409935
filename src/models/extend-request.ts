// A request for a video that continues from the last frame of another: reading its body, and the request that it becomes.
// The caller finds the first video and decides whether it may be extended.

import { z } from 'zod'
import { example } from '../contract/example-values.ts'
import { mebibytes, widestLimits } from '../contract/limits.ts'
import { splitFields } from '../schema/unknown-fields.ts'
import { mapParsed, type Parsed, parseWith } from '../schema/validation.ts'
import { numberOr, requiredText, secondsBetween, textOrNull } from '../schema/wire-types.ts'
import { callBackUrlSchema } from './catalogue.ts'
import { withoutNearMisses } from './misplaced-fields.ts'
import { secondsDefault, type VideoModel, type VideoRequest } from './model.ts'

// The model of the first video decides once that video is known.
const { promptCharacters, secondsMin, secondsMax } = widestLimits

export const extendBody = z
  .object({
    taskId: requiredText(200).meta({ description: 'The task of the video to play on from.' }),
    prompt: requiredText(promptCharacters).meta({
      description: 'What happens next. As long as the model of the first video allows.',
    }),
    duration: secondsBetween(secondsMin, secondsMax).nullish().meta({
      description: 'Length of the new part in seconds, as the model of the first video allows; a number or a string.',
      default: '5',
    }),
    callBackUrl: callBackUrlSchema,
  })
  .meta({ examples: [{ taskId: example.taskId, prompt: 'The boat passes the lighthouse', duration: '5' }] })

/** `duration` stays as it was sent: `extendRequest` reads it by the rules of the model. */
export function parseExtend(body: unknown) {
  return mapParsed(
    withoutNearMisses(parseWith(extendBody, body, ''), body),
    ({ taskId, prompt, duration, callBackUrl }) => ({
      taskId,
      prompt,
      duration: duration ?? null,
      callBackUrl: textOrNull(callBackUrl),
      ...splitFields(extendBody, body),
    }),
  )
}

/** Where a video stopped. */
interface Continued extends Pick<VideoRequest, 'momentum'> {
  url: string
  wideFrame?: { url: string; area: NonNullable<VideoRequest['wideFrame']>['area'] }
}

/**
 * The request for the new part: one shot of the same size, sound and subjects, from the first video's last frame. Problems
 * name the fields of the extending request.
 */
export function extendRequest(
  model: VideoModel,
  parent: VideoRequest,
  request: { prompt: string; duration: string | number | null },
  lastFrame: Continued,
): Parsed<VideoRequest> {
  const { prompt, duration } = request
  // With the seed of the video before, a generator would repeat its noise.
  const { momentum: _, wideFrame: __, shotsFittedFrom: ___, seed: ____, ...kept } = parent
  const { momentum, wideFrame } = lastFrame
  // The service made these frames, so the limits of clients' images do not apply; only their size is bounded.
  const frame = (url: string) => ({ url, bytesMax: mebibytes(50), ratio: null })
  return mapParsed(parseWith(model.extensionSchema, { prompt, duration }, ''), (extension) => ({
    ...kept,
    ...(momentum && { momentum }),
    ...(wideFrame && { wideFrame: { image: frame(wideFrame.url), area: wideFrame.area } }),
    prompt: extension.prompt,
    seconds: numberOr(extension.duration, secondsDefault),
    firstFrame: frame(lastFrame.url),
    lastFrame: null,
    shots: [],
    planShots: false,
  }))
}
