// Measures what moved between two frames, far below a pixel: the metric behind the smoothness tests and benchmarks.

import type { Homography } from '../../../../src/video/picture/grid.ts'

export interface Gray {
  data: ArrayLike<number>
  width: number
  height: number
}

/**
 * The displacement of the window's centre from `a` to `b`, in pixels, near a guess. Fits an affine motion by
 * Gauss–Newton on the brightness difference, so that a zoom inside the window does not bias the result.
 */
export function displacementAt(
  a: Gray,
  b: Gray,
  centre: { x: number; y: number },
  radius: number,
  guess: { x: number; y: number },
): { x: number; y: number } {
  const start = nearestWhole(a, b, centre, radius, guess)
  const motion = new Float64Array([start.x, 0, 0, start.y, 0, 0])
  for (let round = 0; round < 12; round++) {
    const normal = new Float64Array(36)
    const right = new Float64Array(6)
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) {
        const x = centre.x + dx
        const y = centre.y + dy
        const toX = x + motion[0]! + motion[1]! * dx + motion[2]! * dy
        const toY = y + motion[3]! + motion[4]! * dx + motion[5]! * dy
        const difference = cubicAt(a, x, y) - cubicAt(b, toX, toY)
        const gx = (cubicAt(b, toX + 0.5, toY) - cubicAt(b, toX - 0.5, toY)) as number
        const gy = (cubicAt(b, toX, toY + 0.5) - cubicAt(b, toX, toY - 0.5)) as number
        const row = [gx, gx * dx, gx * dy, gy, gy * dx, gy * dy]
        for (let i = 0; i < 6; i++) {
          right[i]! += row[i]! * difference
          for (let j = 0; j < 6; j++) normal[i * 6 + j]! += row[i]! * row[j]!
        }
      }
    }
    const step = solve(normal, right)
    for (let i = 0; i < 6; i++) motion[i]! += step[i]!
    if (Math.hypot(step[0]!, step[3]!) < 1e-5) break
  }
  return { x: motion[0]!, y: motion[3]! }
}

/** The guess, or a place whole pixels away from it that fits clearly better: frames that jump would mislead the fit. */
function nearestWhole(
  a: Gray,
  b: Gray,
  centre: { x: number; y: number },
  radius: number,
  guess: { x: number; y: number },
): { x: number; y: number } {
  let best = { x: guess.x, y: guess.y }
  let least = Number.POSITIVE_INFINITY
  for (const dy of [0, -1, 1, -2, 2, -3, 3]) {
    for (const dx of [0, -1, 1, -2, 2, -3, 3]) {
      let sum = 0
      for (let row = -radius; row <= radius; row += 3) {
        for (let column = -radius; column <= radius; column += 3) {
          const x = centre.x + column
          const y = centre.y + row
          sum += (cubicAt(a, x, y) - cubicAt(b, x + guess.x + dx, y + guess.y + dy)) ** 2
        }
      }
      if (sum < least) {
        least = sum
        best = { x: guess.x + dx, y: guess.y + dy }
      }
    }
  }
  return best
}

/** Catmull–Rom interpolation at a position whose whole numbers are pixel centres. */
function cubicAt({ data, width, height }: Gray, x: number, y: number): number {
  const column = Math.floor(x)
  const row = Math.floor(y)
  const wx = weights(x - column)
  const wy = weights(y - row)
  let sum = 0
  for (let j = 0; j < 4; j++) {
    const line = Math.min(Math.max(row - 1 + j, 0), height - 1) * width
    let across = 0
    for (let i = 0; i < 4; i++) across += wx[i]! * data[line + Math.min(Math.max(column - 1 + i, 0), width - 1)]!
    sum += wy[j]! * across
  }
  return sum
}

function weights(t: number): [number, number, number, number] {
  return [
    ((2 - t) * t - 1) * t * 0.5,
    (t * t * (3 * t - 5) + 2) * 0.5,
    ((4 - 3 * t) * t + 1) * t * 0.5,
    (t - 1) * t * t * 0.5,
  ]
}

/** Gaussian elimination with pivoting. */
function solve(matrix: Float64Array, right: Float64Array): Float64Array {
  const n = right.length
  for (let k = 0; k < n; k++) {
    let pivot = k
    for (let i = k + 1; i < n; i++) if (Math.abs(matrix[i * n + k]!) > Math.abs(matrix[pivot * n + k]!)) pivot = i
    for (let j = 0; j < n; j++) {
      const swap = matrix[k * n + j]!
      matrix[k * n + j] = matrix[pivot * n + j]!
      matrix[pivot * n + j] = swap
    }
    const swap = right[k]!
    right[k] = right[pivot]!
    right[pivot] = swap
    for (let i = k + 1; i < n; i++) {
      const factor = matrix[i * n + k]! / matrix[k * n + k]!
      for (let j = k; j < n; j++) matrix[i * n + j]! -= factor * matrix[k * n + j]!
      right[i]! -= factor * right[k]!
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    for (let j = k + 1; j < n; j++) right[k]! -= matrix[k * n + j]! * right[j]!
    right[k]! /= matrix[k * n + k]!
  }
  return right
}

/** Root mean square of a list. */
export function rms(values: number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length)
}

/** Peak signal-to-noise ratio of two equally long lists of bytes, in dB. */
export function psnr(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2
  return sum === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10((255 * 255 * a.length) / sum)
}

export function invert([a, b, c, d, e, f, g, h, i]: Homography): Homography {
  return [
    ...([e * i - f * h, c * h - b * i, b * f - c * e] as const),
    ...([f * g - d * i, a * i - c * g, c * d - a * f] as const),
    ...([d * h - e * g, b * g - a * h, a * e - b * d] as const),
  ]
}
