// Why a task that was accepted can fail: reason → `failCode`. The sentence is written where the failure is found.
// Why a request is refused is contract/errors.ts.
import { z } from 'zod'

export const failCodes = {
  image_fetch_failed: '451',
  image_too_large: '422',
  image_format: '422',
  unsupported_dimensions: '422',
  audio_length: '422',
  capture_window: '422',
  prompt_moderated: '422',
  nsfw_image: '422',
  inappropriate_content: '422',
  upstream_silent: '408',
  engine_failed: '501',
  generation_limit: '501',
  canceled: '501',
  internal: '500',
} as const

export type FailReason = keyof typeof failCodes

/** Whether the request is to blame: its input files or its prompt. Another attempt cannot help. */
export function blamesRequest(reason: string): reason is FailReason {
  return Object.hasOwn(failCodes, reason) && ['451', '422'].includes(failCodes[reason as FailReason])
}

export const failReason = z.enum(Object.keys(failCodes) as [FailReason, ...FailReason[]]).meta({
  id: 'FailReason',
  description: 'Why the task failed, as an identifier for programs.',
})

export const failCodeDescription =
  '451: an input file could not be fetched. 422: an input file or the prompt is not acceptable. 408: the generator sent ' +
  'no heartbeat for too long. 501: generation failed, the task waited too long, or it was canceled. 500: an unexpected error.'
