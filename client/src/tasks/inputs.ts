// The bodies of requests under names that are handy in programs. Their shapes are the contract's; the service validates.
import type { CreateTask, EmbeddingsInput, OmniInput, omniModel, TurboInput, turboModel } from '../contract.ts'

export type SubjectElement = NonNullable<OmniInput['elements']>[number]

/** First frame, and optionally the last; JPEG or PNG, at most 50 MB each. */
export type FrameUrls = NonNullable<OmniInput['image_url']>

/** The whole input except its frames. */
export type OmniOptions = Omit<OmniInput, 'image_url' | 'image_urls'>

export type CreateTurboTask = Extract<CreateTask, { model: typeof turboModel }>
export type CreateOmniTask = Extract<CreateTask, { model: typeof omniModel }>

export interface VideoInferenceInput extends Pick<EmbeddingsInput, 'webhook'> {
  input: TurboInput | OmniInput
}
