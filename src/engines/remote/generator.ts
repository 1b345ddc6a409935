// What an adapter to a generator does: submit one clip, follow it, cancel it. What generators have in common (shots,
// sound, the form of the video) is in the remote engine.

import type { Size } from '../../video/picture/output-size.ts'
import type { Abilities, Finding, Handle } from '../engine.ts'
import type { ImageBytes } from './input-images.ts'
import type { Ask, Busy } from './poll.ts'

/** One clip to make from one image. */
export interface ClipPlan {
  prompt: string
  negativePrompt: string
  seconds: number
  /** The size of the whole video; the clip may be made smaller and is scaled. */
  width: number
  height: number
  firstFramePath: string
  lastFramePath: string | null
  /** 0 to 2³² − 1, another one for each clip. */
  seed: number
  /** Names this clip of this submission; see EngineContext. */
  submission: string
}

/** What a generator delivered: files inside the work folder. More than one: single images, shown at `fps`. */
export interface RawClip {
  paths: string[]
  fps: number
}

export interface SubmitContext {
  signal: AbortSignal
  /** An input image as a JPEG of exactly this size. */
  image(path: string, size: Size): Promise<ImageBytes>
  /** See `whileBusy` in poll.ts. */
  whileBusy<T>(submit: () => Promise<T | Busy>): Promise<T>
}

interface ClipContext {
  workDir: string
  signal: AbortSignal
  /** Polls the generator for as long as a job may take, and no longer; see poll.ts. */
  poll<T>(ask: Ask<T>, overdue: () => Promise<void>): Promise<T>
}

export interface Generator {
  readonly name: string
  readonly abilities: Abilities
  /** The longest clip it makes; longer videos are made of several. */
  readonly secondsMax: number
  submit(clip: ClipPlan, context: SubmitContext): Promise<Handle>
  follow(handle: Handle, context: ClipContext): Promise<RawClip>
  cancel(handle: Handle): Promise<void>
  /** The clip is stored here: deletes the generator's copy, where it can be deleted. */
  discard?(handle: Handle): Promise<void>
  /** See Engine. */
  inspect?(signal: AbortSignal): Promise<Finding[]>
  probe(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}
