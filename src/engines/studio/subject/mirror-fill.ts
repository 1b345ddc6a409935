// Continues a background into the gap that a subject leaves: near the rim by mirroring what lies outside it, so that the
// texture goes on without a seam, deeper inside by a given smooth fill. Pure pixels; sizes are the caller's.

import type { Size } from '../../../video/picture/output-size.ts'

/** Covered pixels (cover > 0) of `rgb` are replaced; `depth` is how many pixels deep the mirror image reaches. */
export function mirrorFill(
  rgb: Uint8Array,
  size: Size,
  cover: Uint8Array,
  smooth: Uint8Array,
  depth: number,
): Uint8Array {
  const { width, height } = size
  const nearest = nearestOutside(cover, size)
  const filled = rgb.slice()
  for (let at = 0, y = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (cover[at] === 0) continue
      const rimX = nearest.x[at]!
      const rimY = nearest.y[at]!
      const distance = Math.sqrt((rimX - x) ** 2 + (rimY - y) ** 2)
      const share = rimX === nowhere ? 1 : deepShare(distance / depth)
      const rim = rimY * width + rimX
      const mirroredX = 2 * rimX - x
      const mirroredY = 2 * rimY - y
      const outside = mirroredX < 0 || mirroredY < 0 || mirroredX >= width || mirroredY >= height
      const mirrored = outside ? rim : mirroredY * width + mirroredX
      // Where the mirror image shows the subject itself, the rim's own colour is the better guess.
      const from = share === 1 ? at : cover[mirrored] === 0 ? mirrored : rim
      for (let channel = 0; channel < 3; channel++) {
        const near = rgb[from * 3 + channel]!
        filled[at * 3 + channel] = near + (smooth[at * 3 + channel]! - near) * share
      }
    }
  }
  return filled
}

/** 0 near the rim, 1 beyond twice the mirror's reach. */
function deepShare(depths: number): number {
  const t = Math.min(Math.max(depths - 1, 0), 1)
  return t * t * (3 - 2 * t)
}

/** Farther off than any pixel, and still a small whole number when squared and added. */
const nowhere = -20_000

/**
 * For each covered pixel the nearest one outside, by two sweeps that pass neighbours' answers on; `nowhere` where none
 * exists. Exact to a pixel or so, which is all that a guess needs.
 */
function nearestOutside(cover: Uint8Array, { width, height }: Size): { x: Int16Array; y: Int16Array } {
  const nearX = new Int16Array(cover.length)
  const nearY = new Int16Array(cover.length)
  for (let at = 0, y = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      nearX[at] = cover[at] === 0 ? x : nowhere
      nearY[at] = cover[at] === 0 ? y : nowhere
    }
  }
  const offer = (at: number, x: number, y: number, neighbour: number) => {
    const dx = nearX[neighbour]! - x
    const dy = nearY[neighbour]! - y
    const ownX = nearX[at]! - x
    const ownY = nearY[at]! - y
    if (dx * dx + dy * dy >= ownX * ownX + ownY * ownY) return
    nearX[at] = nearX[neighbour]!
    nearY[at] = nearY[neighbour]!
  }
  for (const step of [1, -1] as const) {
    for (let row = 0; row < height; row++) {
      const y = step > 0 ? row : height - 1 - row
      const fromRow = y - step
      for (let column = 0; column < width; column++) {
        const x = step > 0 ? column : width - 1 - column
        const at = y * width + x
        if (cover[at] === 0) continue
        if (x - step >= 0 && x - step < width) offer(at, x, y, at - step)
        if (fromRow < 0 || fromRow >= height) continue
        offer(at, x, y, fromRow * width + x)
        if (x > 0) offer(at, x, y, fromRow * width + x - 1)
        if (x < width - 1) offer(at, x, y, fromRow * width + x + 1)
      }
      for (let column = 1; column < width; column++) {
        const x = step > 0 ? width - 1 - column : column
        const at = y * width + x
        if (cover[at] !== 0) offer(at, x, y, at + step)
      }
    }
  }
  return { x: nearX, y: nearY }
}
