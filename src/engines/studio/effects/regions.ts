// Finds water and foliage in a picture by colour, texture and position. Careful rather than complete: a region that is not
// surely there is not found. Pure.

import { boxBlur, type Luma } from '../../../video/picture/luma.ts'
import type { Sight } from '../sight.ts'

const shareMin = 0.05

/** Level, flat and no sky: blue, grey or reflecting, in the lower part of the picture, across most of its width. */
export function findWater(sight: Sight): Luma | null {
  const { rgb, width, height, sky, subject } = sight
  const count = width * height
  const luma = lumaOf(rgb)
  // Water changes less along rows than across them.
  const across = new Float32Array(count)
  for (let i = width; i < count - 1; i++) {
    across[i] = Math.abs(luma[i + 1]! - luma[i]!) - 0.75 * Math.abs(luma[i]! - luma[i - width]!)
  }
  const level = boxBlur(across, width, height, Math.round(height * 0.03))
  const data = new Float32Array(count)
  let found = 0
  for (let i = 0; i < count; i++) {
    const row = Math.floor(i / width) / height
    const [r, g, b] = [rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!]
    const blue = b > r + 4 && b >= g - 6
    const grey = Math.max(r, g, b) - Math.min(r, g, b) < 26
    const green = g > r + 10 && g > b + 8
    const open = row > 0.3 && (sky?.data[i] ?? 0) < 0.5 && (subject?.mask[i] ?? 0) < 100
    if (!open || green || !(blue || grey || level[i]! < -1.2) || level[i]! > 1.5) continue
    data[i] = 1
    found++
  }
  const whole = found / count
  if (whole < shareMin || !spans(data, width, height, 0.5)) return null
  return { data: boxBlur(data, width, height, 3), width, height }
}

/** Green and rough. */
export function findFoliage(sight: Sight): Luma | null {
  const { rgb, width, height, subject } = sight
  const count = width * height
  const luma = lumaOf(rgb)
  const mean = boxBlur(luma, width, height, 3)
  const square = boxBlur(
    luma.map((value) => value * value),
    width,
    height,
    3,
  )
  const data = new Float32Array(count)
  let found = 0
  for (let i = 0; i < count; i++) {
    const [r, g, b] = [rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!]
    const rough = Math.sqrt(Math.max(0, square[i]! - mean[i]! ** 2))
    if (!(g > b + 10 && g >= r - 4 && rough > 5 && (subject?.mask[i] ?? 0) < 100)) continue
    data[i] = 1
    found++
  }
  if (found < shareMin * count) return null
  return { data: boxBlur(data, width, height, 4), width, height }
}

/** Whether some row of a region is filled over a share of the width. */
function spans(data: Float32Array, width: number, height: number, share: number): boolean {
  for (let row = 0; row < height; row++) {
    let sum = 0
    for (let column = 0; column < width; column++) sum += data[row * width + column]!
    if (sum >= share * width) return true
  }
  return false
}

function lumaOf(rgb: Uint8Array): Float32Array {
  return Float32Array.from(
    { length: rgb.length / 3 },
    (_, i) => 0.2126 * rgb[i * 3]! + 0.7152 * rgb[i * 3 + 1]! + 0.0722 * rgb[i * 3 + 2]!,
  )
}
