// What the passes of effects should draw, in plain JavaScript.

import type { Size } from '../../../src/video/picture/output-size.ts'

export const floatsOf = { discs: 5, halos: 4, streaks: 6, lensDiscs: 5 }

/** The level of one thing at a pixel that lies (dx, dy) from it. */
type Level = (dx: number, dy: number, ...numbers: number[]) => number

const clamp = (value: number) => Math.min(1, Math.max(0, value))

export const disc: Level = (dx, dy, radius, level, hard) => {
  const s = clamp((1 - Math.hypot(dx, dy) / radius!) / (1 - hard!))
  return level! * s * s * (3 - 2 * s)
}

export const halo: Level = (dx, dy, radius, level) => level! * Math.max(0, 1 - (dx * dx + dy * dy) / radius! ** 2) ** 5

export const streak: Level = (dx, dy, toX, toY, thickness, level) => {
  const length = Math.hypot(toX!, toY!)
  const share = (dx * toX! + dy * toY!) / length ** 2
  const cover = Math.min(1, thickness! / 2 + 0.5 - Math.abs(dx * toY! - dy * toX!) / length)
  return share <= 0 || share >= 1 || cover <= 0 ? 0 : level! * cover * (share < 0.8 ? 1.25 * share : 5 * (1 - share))
}

export const lensDisc: Level = (dx, dy, radius, level, soft) => {
  const distance = Math.hypot(dx, dy)
  return level! * clamp((radius! - distance) / soft!) * (0.78 + 0.22 * (distance / radius!) ** 3)
}

export function summed({ width, height }: Size, list: readonly number[], each: number, level: Level): number[] {
  return Array.from({ length: width * height }, (_, i) => {
    let sum = 0
    for (let at = 0; at < list.length; at += each) {
      const [x, y, ...numbers] = list.slice(at, at + each)
      sum += level((i % width) - x!, Math.floor(i / width) - y!, ...numbers)
    }
    return Math.min(255, sum)
  })
}

function noiseAt(noise: Float32Array, x: number, y: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)]
  const at = (i: number, j: number) => noise[((row + j) & 255) * 256 + ((column + i) & 255)]!
  const [fx, fy] = [x - column, y - row]
  return (at(0, 0) * (1 - fx) + at(1, 0) * fx) * (1 - fy) + (at(0, 1) * (1 - fx) + at(1, 1) * fx) * fy
}

export function field(
  { width, height }: Size,
  map: Uint8Array,
  shares: Float32Array,
  rows: Float32Array,
  noise: Float32Array,
  [x1, y1, sx1, sy1, x2, y2, sx2, sy2, base, weight1, weight2]: number[],
): number[] {
  const dense = (column: number, row: number) => {
    const slow = noiseAt(noise, x1! + column * sx1!, y1! + row * sy1!)
    return Math.min(1, base! + weight1! * slow + weight2! * noiseAt(noise, x2! + column * sx2!, y2! + row * sy2!))
  }
  return Array.from({ length: width * height }, (_, i) => {
    const [column, row] = [i % width, Math.floor(i / width)]
    const [left, top] = [column & ~1, row & ~1]
    const corners = [0, column & 1].flatMap((x) => [0, row & 1].map((y) => dense(left + 2 * x, top + 2 * y)))
    return rows[row]! * shares[map[i]!]! * (corners.reduce((sum, own) => sum + own) / 4)
  })
}

export function shade(
  { width, height }: Size,
  map: Uint8Array,
  shares: Float32Array,
  rings: Float32Array,
  lines: Float32Array,
  scaleX: number,
  streaks: number,
): number[] {
  return Array.from({ length: width * height }, (_, i) => {
    const [middle, down, share] = lines.subarray(4 * Math.floor(i / width))
    const distance = Math.hypot(((i % width) - middle!) * scaleX, Math.sqrt(down!))
    const own = rings[Math.min(1023, Math.floor(512 * distance))]! * shares[map[i]!]!
    return 255 * Math.sqrt(clamp(share! * 2 * own + streaks))
  })
}

export function slipped(line: Uint8Array, by: number): Uint8Array {
  return line.map((_, i) => line[Math.min(line.length - 1, Math.max(0, i - by))]!)
}
