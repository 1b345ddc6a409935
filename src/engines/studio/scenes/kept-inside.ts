// Keeps what is drawn inside its source where a camera pulls out further than the picture reaches. Nothing is made up beyond
// the picture's edges: mirrored or continued content would be seen. Pure.

import type { Warp } from '../../../video/picture/grid.ts'
import type { Size } from '../../../video/picture/output-size.ts'

/** At how many places of each side of the frame we measure how far it reaches beyond the source. */
const samplesPerSide = 16

/**
 * A view that reaches beyond its source is compressed towards the edges, by as much as it reaches beyond them: the middle
 * of the frame shows what the camera sees, and its edges show the source's edges. Each row and column is compressed by its
 * own reach, because in relief the near ground reaches further than the sky, which would be stretched at the edges instead.
 */
export function keptInside(warp: Warp, frame: Size, source: Size): Warp {
  const at = new Float64Array(2)
  let reaches = 0
  const reachAlong = (beyond: (share: number) => number) => {
    const samples = Float64Array.from({ length: samplesPerSide + 2 }, (_, i) => {
      const own = Math.max(0, beyond(Math.min(1, i / samplesPerSide)))
      reaches += own
      return own
    })
    return (share: number) => {
      const place = Math.min(1, Math.max(0, share)) * samplesPerSide
      const before = Math.floor(place)
      return samples[before]! + (samples[before + 1]! - samples[before]!) * (place - before)
    }
  }
  const seenAt = (x: number, y: number) => {
    warp(x * frame.width, y * frame.height, at)
    return at
  }
  const left = reachAlong((y) => -seenAt(0, y)[0]!)
  const right = reachAlong((y) => seenAt(1, y)[0]! - source.width)
  const top = reachAlong((x) => -seenAt(x, 0)[1]!)
  const bottom = reachAlong((x) => seenAt(x, 1)[1]! - source.height)
  if (reaches === 0) return warp
  return (x, y, to) => {
    warp(x, y, to)
    const [across, down] = [x / frame.width, y / frame.height]
    to[0] = compressed(to[0]!, source.width, left(down), right(down))
    to[1] = compressed(to[1]!, source.height, top(across), bottom(across))
  }
}

/** Maps positions from -before to size + after onto 0 to `size`: evenly in the middle, ever more slowly towards the ends. */
function compressed(position: number, size: number, before: number, after: number): number {
  const half = size / 2
  const inward = position < half ? position : size - position
  const beyond = position < half ? before : after
  const share = (inward + beyond) / (half + beyond)
  const slowest = 1 - beyond / half
  const kept = half * (slowest * share + (1 - slowest) * share ** 2)
  return position < half ? kept : size - kept
}
