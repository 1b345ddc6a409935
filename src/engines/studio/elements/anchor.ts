// Keeps a thing at a place of the picture while the camera moves, in relief too: it looks in the scene's own grid where that
// place is drawn now. So an element travels with the parallax of the ground that it stands on.

import type { Kernel } from '../../../video/kernel/kernel.ts'
import { type Grid, nodePosition } from '../../../video/picture/grid.ts'

export interface Anchored {
  x: number
  y: number
  /** How much larger the place is drawn than when it was anchored. */
  scale: number
}

const cell = 16

/** The grid as it is at the first call, at (x, y) in the frame, says which place is meant. */
export function anchorAt(kernel: Kernel, grid: Grid, x: number, y: number): () => Anchored {
  let place: { x: number; y: number; span: number } | null = null
  const last = { x, y }
  return () => {
    const sample = sampler(kernel, grid)
    place ??= sample(x, y)
    // A few steps from where it was last time: the camera moves little between two frames.
    for (let step = 0; step < 4; step++) {
      const here = sample(last.x, last.y)
      last.x += ((place.x - here.x) / here.span) * cell
      last.y += ((place.y - here.y) / here.span) * cell
    }
    return { ...last, scale: place.span / sample(last.x, last.y).span }
  }
}

/** Where a point of the frame looks, and how far apart two neighbouring nodes look there, in source pixels. */
function sampler(kernel: Kernel, grid: Grid) {
  const read = nodePosition(kernel, grid)
  const to = new Float64Array(2)
  const node = (column: number, row: number) => {
    read(row * grid.columns + column, to)
    return { x: to[0]!, y: to[1]! }
  }
  return (x: number, y: number) => {
    // Beyond the frame the nearest cell goes on.
    const column = Math.min(grid.columns - 3, Math.max(1, Math.floor(x / cell)))
    const row = Math.min(grid.rows - 3, Math.max(1, Math.floor(y / cell)))
    const [a, b, c] = [node(column, row), node(column + 1, row), node(column, row + 1)]
    const [fx, fy] = [x / cell - column, y / cell - row]
    return {
      x: a.x + (b.x - a.x) * fx + (c.x - a.x) * fy,
      y: a.y + (b.y - a.y) * fx + (c.y - a.y) * fy,
      span: Math.max(1e-3, (Math.hypot(b.x - a.x, b.y - a.y) + Math.hypot(c.x - a.x, c.y - a.y)) / 2),
    }
  }
}
