// What making a video file takes and yields, whether it is rendered or brought into our form.
import type { Area } from './picture/output-size.ts'

/** How the work reports to the process that asked for it. */
export interface WorkHooks {
  /** Percent done; throws to give up the work. */
  progress(percent: number): void
  /** Encoder threads. */
  threads: number
}

export interface Rendered {
  videoPath: string
  thumbnailPath: string
  /** The last frame as an image: where an extension plays on from. */
  lastFramePath: string
  /** What an extension needs to keep the pace of the last frame. Only the engine that made it reads it. */
  momentum?: Record<string, number>
  /** The last frame with what its picture shows around it, in more detail. Only the engine that made it reads it. */
  wideFrame?: { path: string; area: Area }
  width: number
  height: number
  seconds: number
  frames: number
  fps?: number
  /** Of the video stream, e.g. `h264`. */
  codec?: string
  /** What was changed to fit the request, one short phrase each, e.g. `scaled from 832x480`. */
  adjusted?: string[]
  /** Effects that were asked for and found no place in the pictures. */
  missed?: string[]
  /** Elements that cannot be drawn well, each with the reason. */
  leftOut?: string[]
  /** Processor time of the render, user and system, over all threads of the child. */
  cpuSeconds: number
}
