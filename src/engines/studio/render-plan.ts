// What a render process is given: plain values that cross the process boundary.

import type { Area } from '../../video/picture/output-size.ts'
import type { Plan } from '../engine.ts'
import type { Playing } from './effects/played-on.ts'

/** A plan whose storage keys have become local paths. */
export interface RenderPlan
  extends Pick<
    Plan,
    'prompt' | 'negativePrompt' | 'guidance' | 'seed' | 'seconds' | 'size' | 'shots' | 'planShots' | 'audio'
  > {
  workDir: string
  /** A depth network to use instead of the bundled one. */
  depthModel?: string | null
  firstFrame: LocalFile
  lastFrame: LocalFile | null
  /** Of the video whose last frame is the first frame. */
  momentum?: Playing
  /** The first frame with what is around it, and where it lies in there. */
  wideFrame?: LocalFile & { area: Area }
  elements: ElementFiles[]
}

export interface LocalFile {
  path: string
  kind: 'image' | 'video' | 'audio'
}

export interface ElementFiles {
  name: string
  files: LocalFile[]
  audio: LocalFile[]
  startMs: number
  endMs: number | null
}

export interface RenderJob {
  plan: RenderPlan
  /** Encoder threads. */
  threads: number
  /** Whether subjects are found and moved apart from their background. */
  depth: boolean
}
