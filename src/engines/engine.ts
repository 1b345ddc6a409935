// The engine port: what the task flow asks of anything that makes videos, and what it gets back.
// It knows the reasons of failed tasks, but not their states, credits or rows; the task flow stores handles and files.
import type { FailReason } from '../contract/tasks/fail-reasons.ts'
import type { Understood } from '../contract/tasks/records.ts'
import type { Area, WantedSize } from '../video/picture/output-size.ts'
import type { Rendered } from '../video/rendered.ts'

/** What to make, settled. Every `file` is a storage key whose bytes were fetched and checked before. */
export interface Plan {
  model: string
  prompt: string
  negativePrompt: string
  /** How strongly the prompt is followed, 0 to 1. */
  guidance: number
  /** 0 to 2³² − 1; left out: the engine chooses one. */
  seed?: number
  seconds: number
  size: WantedSize
  firstFrame: InputFile
  lastFrame: InputFile | null
  /** What an engine reported as `momentum` of the video whose last frame is this one's first. */
  momentum?: Record<string, number>
  /** What an engine made as `wideFrame` of that video: an image, and where the first frame lies in it, in its pixels. */
  wideFrame?: { image: InputFile; area: Area }
  /** Given shots in order, their seconds adding up to `seconds`; empty for a single shot. */
  shots: { prompt: string; seconds: number }[]
  /** The engine may plan shots of its own (only when `shots` is empty). */
  planShots: boolean
  elements: Element[]
  /** Whether the video carries a sound track. */
  audio: boolean
}

export interface InputFile {
  file: string
  kind: 'image' | 'video' | 'audio'
  width?: number
  height?: number
  seconds?: number
  /** The part of a video to use, in milliseconds. */
  startMs?: number
  endMs?: number
}

/** A subject that prompts name as `@name`. */
export interface Element {
  name: string
  description: string
  /** Images and videos. Stored with the task, so this key keeps its name: releases run side by side during an upgrade. */
  material: InputFile[]
  audio: InputFile[]
}

/** A small serialisable value, stored before waiting, by which an engine finds its work again after a crash. */
export type Handle = { [key: string]: string | number | boolean | null }

/** The paths are local files inside `workDir`; the caller stores and then removes them. */
export type EngineResult = Omit<Rendered, 'frames' | 'missed' | 'leftOut' | 'cpuSeconds'>

export interface EngineContext {
  /** A folder of this attempt's own, removed by the caller afterwards. */
  workDir: string
  /** A readable local path for a storage key of the plan. */
  localPath(file: string): Promise<string>
  signal: AbortSignal
  /**
   * Identifies this submission: the same when a crash repeats it, another when the work is submitted again.
   */
  submission: string
}

export interface FollowContext extends EngineContext {
  /**
   * Runs work of this process, such as the conversion of a video that the generator has delivered. It has limits of its
   * own, and does not count as silence of the generator.
   */
  locally?<T>(work: () => Promise<T>): Promise<T>
  /** Percent done, 0 to 100. Each call, also with the same number, is a heartbeat for the silence watchdog. */
  progress(percent: number): void
  /** Reports why the generator does not take the work yet; null when that is over. */
  waiting?(reason: string | null): void
  /** Reports what was read from the prompt, once it is known. Engines that cannot say never call it. */
  understood?(reading: Understood): void
  /** Replaces the stored handle, for work that is submitted in several steps. */
  keep(handle: Handle): Promise<void>
}

/** Where an engine's settings and its generator do not fit. */
export interface Finding {
  message: string
  /** Whether tasks fail until it is corrected. */
  isFatal: boolean
}

/** What not every engine supports. Shots, sound and sizes that a generator lacks are made here; these are not. */
export interface Abilities {
  lastFrame: boolean
  elements: boolean
}

export interface Engine {
  readonly name: string
  /** Left out: it does everything. */
  readonly abilities?: Abilities
  /**
   * Begins the work. What it returns is stored before `follow` is called; a repeat after a crash skips `start`. Left out
   * by engines whose work ends with this process: `follow` gets an empty handle and does all of it.
   */
  start?(plan: Plan, context: FollowContext): Promise<Handle>
  /** Resolves when the video is there. May be called again in another process with the stored handle. */
  follow(handle: Handle, plan: Plan, context: FollowContext): Promise<EngineResult>
  /** What it would read from a prompt, without making anything. Engines that cannot say leave it out. */
  explain?(prompt: string, negativePrompt: string): Understood
  /** Best effort; the task has ended already. */
  cancel(handle: Handle): Promise<void>
  /** The task succeeded and its files are stored: deletes what the generator still keeps of it. Best effort. */
  discard?(handle: Handle): Promise<void>
  /** Compares this engine's settings with what the generator has, such as model files. */
  inspect?(signal: AbortSignal): Promise<Finding[]>
  /** Rejects when the generator cannot be reached or cannot serve this engine. Left out by bundled engines. */
  probe?(signal: AbortSignal): Promise<void>
  /** Gets ready what the first task would otherwise wait for. */
  warm?(): Promise<void>
  close?(): Promise<void>
}

/**
 * This process stops while an engine only waits for its generator. Nothing is lost: another worker goes on with the stored
 * handle, or submits what was not submitted yet.
 */
export class StoppedWaiting extends Error {
  constructor() {
    super('the worker stops')
  }
}

/** Reasons of a failed task that an engine may know better than "it failed". */
export type KnownFailure = Exclude<FailReason, 'engine_failed' | 'canceled' | 'internal'>

/**
 * A failure that says whether another attempt at the same engine may help. Other errors thrown by an engine count as
 * retryable.
 */
export class EngineError extends Error {
  readonly retryable: boolean
  /** `engine`: it counts against the engine's health, and another engine may do better. `task`: it ends the task. */
  readonly blame: 'engine' | 'task'
  readonly reason: KnownFailure | null
  /** Nothing was submitted, because the generator could not be reached: the task waits and loses no attempt. */
  readonly unavailable: boolean
  constructor(
    message: string,
    options: {
      retryable: boolean
      blame?: 'engine' | 'task'
      reason?: KnownFailure | null
      unavailable?: boolean
      cause?: unknown
    },
  ) {
    super(message, { cause: options.cause })
    this.retryable = options.retryable
    this.blame = options.blame ?? (options.retryable ? 'engine' : 'task')
    this.reason = options.reason ?? null
    this.unavailable = options.unavailable ?? false
  }
}
