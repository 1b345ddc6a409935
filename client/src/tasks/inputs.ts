// What can be asked for: the input of each model, and the bodies around it. The service checks; these types help typing.

export const turboModel = 'videomodel/v2-5-turbo-image-to-video-pro' as const
export const omniModel = 'videomodel-3.0-omni/image-to-video' as const

export interface TurboInput {
  /** Up to 2500 characters. */
  prompt: string
  /** JPEG or PNG, at most 10 MB. */
  image_url: string
  /** The last frame. */
  tail_image_url?: string | null
  /** Seconds; 5 if left out. */
  duration?: '5' | '10' | 5 | 10 | null
  /** Up to 500 characters. */
  negative_prompt?: string | null
  /** 0 to 1 in steps of 0.1; 0.5 if left out. */
  cfg_scale?: number | string | null
}

export type OmniSeconds = 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15

export interface OmniOptions {
  /** Up to 3072 characters; subjects are named as @name. */
  prompt: string
  /** Seconds; 5, or the sum of the shots, if left out. */
  duration?: OmniSeconds | `${OmniSeconds}` | null
  /** 720p if left out. */
  resolution?: '720p' | '1080p' | '4k' | null
  /** All but `auto` need `customize_multi_shots`. */
  aspect_ratio?: '16:9' | '9:16' | '1:1' | 'auto' | null
  customize_multi_shots?: boolean | null
  prefer_multi_shots?: boolean | null
  /** Up to 6 shots of 1 to 15 seconds. */
  multi_prompt?: { prompt: string; duration: number }[] | null
  /** Up to 3 subjects. */
  elements?: SubjectElement[] | null
  audio?: boolean | null
}

/** First frame, and optionally the last; JPEG or PNG, at most 50 MB each. */
export type FrameUrls = [first: string] | [first: string, last: string]

export type OmniInput = OmniOptions & ({ image_url: FrameUrls } | { image_urls: FrameUrls })

export interface SubjectElement {
  name: string
  description: string
  /** 2 to 4 images or videos. */
  element_input_urls: string[]
  /** Each 5 to 30 seconds long. */
  element_input_audio_urls?: string[] | null
  /** Milliseconds; of videos, the part from here on is captured. */
  start_time?: number | null
  /** Milliseconds; 3000 to 8000 after `start_time`. */
  end_time?: number | null
}

interface WithCallback {
  /** Told once the task has ended, by a signed POST. */
  callBackUrl?: string | null
}

export interface CreateTurboTask extends WithCallback {
  model: typeof turboModel
  input: TurboInput
}

export interface CreateOmniTask extends WithCallback {
  model: typeof omniModel
  input: OmniInput
}

export type CreateTask = CreateTurboTask | CreateOmniTask

export interface ExtendTask extends WithCallback {
  /** A successful task whose video has not expired. */
  taskId: string
  prompt: string
  duration?: number | string | null
}

export interface EmbeddingsInput {
  inputs: string[]
  normalize?: boolean
  webhook?: string
}

export interface VideoInferenceInput {
  input: TurboInput | OmniInput
  webhook?: string
}
