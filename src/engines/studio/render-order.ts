// What a render child is told and what it answers: plain values that cross the process boundary. Few verbs, one way each.

import type { NormaliseOrder } from '../../video/normalise/normalise-order.ts'
import type { Rendered } from '../../video/rendered.ts'
import type { Plan } from '../engine.ts'

/** A plan whose storage keys have become local paths. */
export interface RenderOrder
  extends Pick<Plan, 'prompt' | 'negativePrompt' | 'guidance' | 'seconds' | 'size' | 'shots' | 'planShots' | 'audio'> {
  workDir: string
  firstFrame: MaterialFile
  lastFrame: MaterialFile | null
  elements: ElementFiles[]
}

export interface MaterialFile {
  path: string
  kind: 'image' | 'video' | 'audio'
}

export interface ElementFiles {
  name: string
  material: MaterialFile[]
  audio: MaterialFile[]
  startMs: number
  endMs: number | null
}

/** Either a video is made, or one that somebody else made is brought into our form. */
export type WorkOrder = RenderOrder | NormaliseOrder

export type ToChild =
  | { verb: 'render'; id: number; order: WorkOrder; threads: number; depth: boolean }
  | { verb: 'abort'; id: number }

export type FromChild =
  | { verb: 'ready' }
  | { verb: 'progress'; id: number; percent: number; rssBytes: number }
  | { verb: 'done'; id: number; result: Rendered }
  /** `retryable` is false where the material itself is at fault. */
  | { verb: 'failed'; id: number; message: string; retryable: boolean }
