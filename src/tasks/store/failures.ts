// Why a task can fail: reason → code. The sentence is written where the failure is found.

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

export interface TaskFailure {
  reason: FailReason
  /** Says what was found and what is allowed; shown to the client. */
  message: string
}
