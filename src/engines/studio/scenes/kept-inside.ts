// Keeps what is drawn inside its source where a camera pulls out further than the picture reaches. Nothing is made up beyond
// the picture's edges: mirrored or continued content would be seen. Pure.

import type { Warp } from '../../../video/picture/grid.ts'
import type { Size } from '../../../video/picture/output-size.ts'

/** How many places of each side of the frame are asked how far they look beyond the source. */
const askedPerSide = 16

/**
 * A view that reaches beyond its source is drawn together towards the edges, by as much as it reaches beyond them: the
 * middle of the frame shows what the camera sees, and its edges show the source's edges. Each row and column by its own
 * reach: in relief a near ground reaches further than a sky, which would otherwise grow towards the edges instead.
 */
export function keptInside(warp: Warp, frame: Size, source: Size): Warp {
  const at = new Float64Array(2)
  let reaches = 0
  const reachAlong = (beyond: (share: number) => number) => {
    const asked = Float64Array.from({ length: askedPerSide + 2 }, (_, i) => {
      const own = Math.max(0, beyond(Math.min(1, i / askedPerSide)))
      reaches += own
      return own
    })
    return (share: number) => {
      const place = Math.min(1, Math.max(0, share)) * askedPerSide
      const before = Math.floor(place)
      return asked[before]! + (asked[before + 1]! - asked[before]!) * (place - before)
    }
  }
  const asked = (x: number, y: number) => {
    warp(x * frame.width, y * frame.height, at)
    return at
  }
  const left = reachAlong((y) => -asked(0, y)[0]!)
  const right = reachAlong((y) => asked(1, y)[0]! - source.width)
  const top = reachAlong((x) => -asked(x, 0)[1]!)
  const bottom = reachAlong((x) => asked(x, 1)[1]! - source.height)
  if (reaches === 0) return warp
  return (x, y, to) => {
    warp(x, y, to)
    const [across, down] = [x / frame.width, y / frame.height]
    to[0] = drawnTogether(to[0]!, source.width, left(down), right(down))
    to[1] = drawnTogether(to[1]!, source.height, top(across), bottom(across))
  }
}

/** From 0 to `size`, for positions from -before to size + after; even in the middle and ever slower towards the ends. */
function drawnTogether(position: number, size: number, before: number, after: number): number {
  const half = size / 2
  const inward = position < half ? position : size - position
  const beyond = position < half ? before : after
  const share = (inward + beyond) / (half + beyond)
  const slowest = 1 - beyond / half
  const kept = half * (slowest * share + (1 - slowest) * share ** 2)
  return position < half ? kept : size - kept
}
