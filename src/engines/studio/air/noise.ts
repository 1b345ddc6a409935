// Noise that tiles: smooth clouds for fog, steam, smoke and light. Made once per process. Pure.

import { seededRandom } from '../../../video/random.ts'

export const noiseSide = 256
const mask = noiseSide - 1
let cloud: Float32Array | null = null

/** Four octaves, 0 to 1, on a tile of `noiseSide` pixels. */
export function cloudNoise(): Float32Array {
  cloud ??= makeCloud()
  return cloud
}

function makeCloud(): Float32Array {
  const random = seededRandom(0xc10ad)
  const sum = new Float32Array(noiseSide * noiseSide)
  let total = 0
  for (let cells = 4, weight = 1; cells <= 64; cells *= 2, weight *= 0.55) {
    const lattice = Float32Array.from({ length: cells * cells }, () => random())
    const step = noiseSide / cells
    for (let y = 0; y < noiseSide; y++) {
      for (let x = 0; x < noiseSide; x++) {
        const [column, row] = [Math.floor(x / step), Math.floor(y / step)]
        const fx = smooth(x / step - column)
        const fy = smooth(y / step - row)
        const at = (i: number, j: number) => lattice[((row + j) % cells) * cells + ((column + i) % cells)]!
        const upper = at(0, 0) + (at(1, 0) - at(0, 0)) * fx
        const lower = at(0, 1) + (at(1, 1) - at(0, 1)) * fx
        sum[y * noiseSide + x]! += weight * (upper + (lower - upper) * fy)
      }
    }
    total += weight
  }
  // Stretched: a sum of octaves seldom comes near its ends.
  return sum.map((value) => Math.min(1, Math.max(0, (value / total - 0.28) / 0.44)))
}

function smooth(t: number): number {
  return t * t * t * (t * (6 * t - 15) + 10)
}

/** The noise between its pixels. */
export function noiseAt(noise: Float32Array, x: number, y: number): number {
  const x0 = Math.floor(x)
  const y0 = Math.floor(y)
  const fx = x - x0
  const fy = y - y0
  const left = x0 & mask
  const right = (x0 + 1) & mask
  const upper = (y0 & mask) * noiseSide
  const lower = ((y0 + 1) & mask) * noiseSide
  const top = noise[upper + left]! + (noise[upper + right]! - noise[upper + left]!) * fx
  const bottom = noise[lower + left]! + (noise[lower + right]! - noise[lower + left]!) * fx
  return top + (bottom - top) * fy
}
