// What a render process is given: plain values that cross the process boundary.

import type { Plan } from '../engine.ts'

/** A plan whose storage keys have become local paths. */
export interface RenderOrder
  extends Pick<Plan, 'prompt' | 'negativePrompt' | 'guidance' | 'seconds' | 'size' | 'shots' | 'planShots' | 'audio'> {
  workDir: string
  /** Another depth network than the bundled one. */
  depthModel?: string | null
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

export interface RenderJob {
  order: RenderOrder
  /** Encoder threads. */
  threads: number
  /** Whether subjects are found and moved apart from their background. */
  depth: boolean
}
