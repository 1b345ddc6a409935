// How alike two pictures are, for tests and benchmarks.

import type { Size } from '../../../../src/video/picture/output-size.ts'

/** The mean structural similarity of two planes over windows of eight pixels. */
export function ssim(one: Uint8Array, other: Uint8Array, { width, height }: Size): number {
  let total = 0
  let windows = 0
  for (let top = 0; top + 8 <= height; top += 4) {
    for (let left = 0; left + 8 <= width; left += 4) {
      let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0]
      for (let y = top; y < top + 8; y++) {
        for (let x = left; x < left + 8; x++) {
          const [p, q] = [one[y * width + x]!, other[y * width + x]!]
          a += p
          b += q
          aa += p * p
          bb += q * q
          ab += p * q
        }
      }
      const [meanA, meanB] = [a / 64, b / 64]
      const [varA, varB, both] = [aa / 64 - meanA ** 2, bb / 64 - meanB ** 2, ab / 64 - meanA * meanB]
      total +=
        ((2 * meanA * meanB + 6.5) * (2 * both + 58.5)) / ((meanA ** 2 + meanB ** 2 + 6.5) * (varA + varB + 58.5))
      windows++
    }
  }
  return total / windows
}

/** The mean difference of two planes, in levels. */
export function stepBetween(one: Uint8Array, other: Uint8Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += Math.abs(one[i]! - other[i]!)
  return sum / one.length
}
