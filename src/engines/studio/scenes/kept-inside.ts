// Keeps what is drawn inside its source where a camera pulls out further than the picture reaches. Nothing is made up beyond
// the picture's edges: mirrored or continued content would be seen. Pure.

import type { Warp } from '../../../video/picture/grid.ts'
import type { Size } from '../../../video/picture/output-size.ts'

/** How many places of each side of the frame are asked how far they look beyond the source. */
const askedPerSide = 16

/**
 * A view that reaches beyond its source is drawn together towards the edges, by as much as it reaches beyond them: the
 * middle of the frame shows what the camera sees, and its edges show the source's edges.
 */
export function keptInside(warp: Warp, frame: Size, source: Size): Warp {
  const at = new Float64Array(2)
  let [left, top, right, bottom] = [0, 0, 0, 0]
  const ask = (x: number, y: number) => {
    warp(x * frame.width, y * frame.height, at)
    left = Math.max(left, -at[0]!)
    right = Math.max(right, at[0]! - source.width)
    top = Math.max(top, -at[1]!)
    bottom = Math.max(bottom, at[1]! - source.height)
  }
  for (let i = 0; i <= askedPerSide; i++) {
    for (const end of [0, 1]) {
      ask(i / askedPerSide, end)
      ask(end, i / askedPerSide)
    }
  }
  if (left + top + right + bottom === 0) return warp
  return (x, y, to) => {
    warp(x, y, to)
    to[0] = drawnTogether(to[0]!, source.width, left, right)
    to[1] = drawnTogether(to[1]!, source.height, top, bottom)
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
