// Continues a background into the gap that a subject leaves: near the rim by mirroring what lies outside it, so that the
// texture goes on without a seam, deeper inside by a given smooth fill. Pure pixels; sizes are the caller's.

import type { Size } from '../picture/output-size.ts'

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
  for (let at = 0; at < cover.length; at++) {
    if (cover[at] === 0) continue
    const rim = nearest[at]!
    const x = at % width
    const y = (at - x) / width
    const rimX = rim % width
    const rimY = (rim - rimX) / width
    const mirroredX = 2 * rimX - x
    const mirroredY = 2 * rimY - y
    const outside = mirroredX < 0 || mirroredY < 0 || mirroredX >= width || mirroredY >= height
    const mirrored = outside ? rim : mirroredY * width + mirroredX
    // Where the mirror image shows the subject itself, the rim's own colour is the better guess.
    const from = rim < 0 ? at : cover[mirrored] === 0 ? mirrored : rim
    const share = rim < 0 ? 1 : deepShare(Math.hypot(rimX - x, rimY - y) / depth)
    for (let channel = 0; channel < 3; channel++) {
      const near = rgb[from * 3 + channel]!
      filled[at * 3 + channel] = near + (smooth[at * 3 + channel]! - near) * share
    }
  }
  return filled
}

/** 0 near the rim, 1 beyond twice the mirror's reach. */
function deepShare(depths: number): number {
  const t = Math.min(Math.max(depths - 1, 0), 1)
  return t * t * (3 - 2 * t)
}

/**
 * For each covered pixel the nearest one outside, by two sweeps that pass neighbours' answers on; −1 where none exists.
 * Exact to a pixel or so, which is all that a guess needs.
 */
function nearestOutside(cover: Uint8Array, { width, height }: Size): Int32Array {
  const nearest = new Int32Array(cover.length).fill(-1)
  for (let at = 0; at < cover.length; at++) if (cover[at] === 0) nearest[at] = at
  const offer = (at: number, x: number, y: number, neighbour: number) => {
    const candidate = nearest[neighbour]!
    if (candidate < 0) return
    if (nearest[at]! < 0 || distance(candidate, x, y, width) < distance(nearest[at]!, x, y, width)) {
      nearest[at] = candidate
    }
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
      for (let column = width - 2; column >= 0; column--) {
        const x = step > 0 ? column : width - 1 - column
        const at = y * width + x
        if (cover[at] !== 0) offer(at, x, y, at + step)
      }
    }
  }
  return nearest
}

function distance(point: number, x: number, y: number, width: number): number {
  const dx = (point % width) - x
  const dy = Math.floor(point / width) - y
  return dx * dx + dy * dy
}
