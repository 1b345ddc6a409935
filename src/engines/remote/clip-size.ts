// Sizes and frame counts that generators accept. Pure.
import type { Size } from '../../video/picture/output-size.ts'

/** The frame's shape at another short side, in multiples of `step`. */
export function clipSize(frame: Size, shortSide: number, step: number): Size {
  const scale = Math.min(1, shortSide / Math.min(frame.width, frame.height))
  const side = (length: number) => Math.max(step, Math.round((length * scale) / step) * step)
  return { width: side(frame.width), height: side(frame.height) }
}

/** The least number of frames of the form `step × n + 1` that lasts as long. */
export function clipFrames(seconds: number, fps: number, step: number): number {
  return Math.max(1, Math.ceil((Math.round(seconds * fps * 1000) / 1000 - 1) / step)) * step + 1
}
