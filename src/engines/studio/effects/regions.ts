// Finds foliage in a picture by colour and texture. Careful rather than complete: a region that is not surely there is not
// found. Pure.

import { boxBlur, type Luma } from '../../../video/picture/luma.ts'
import type { Sight } from '../sight.ts'

const shareMin = 0.05

/** Green and rough. */
export function findFoliage(sight: Sight): Luma | null {
  const { rgb, width, height, subject } = sight
  const count = width * height
  const luma = lumaOf(rgb)
  const rough = roughness(luma, width, height)
  const data = new Float32Array(count)
  let found = 0
  for (let i = 0; i < count; i++) {
    const [r, g, b] = [rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!]
    if (!(g > b + 10 && g >= r - 4 && rough[i]! > 5 && (subject?.mask[i] ?? 0) < 100)) continue
    data[i] = 1
    found++
  }
  if (found < shareMin * count) return null
  return { data: boxBlur(data, width, height, 4), width, height }
}

/** The deviation of brightness around each pixel, in levels. */
function roughness(luma: Float32Array, width: number, height: number): Float32Array {
  const mean = boxBlur(luma, width, height, 3)
  const square = boxBlur(
    luma.map((value) => value * value),
    width,
    height,
    3,
  )
  return square.map((value, i) => Math.sqrt(Math.max(0, value - mean[i]! ** 2)))
}

function lumaOf(rgb: Uint8Array): Float32Array {
  return Float32Array.from(
    { length: rgb.length / 3 },
    (_, i) => 0.2126 * rgb[i * 3]! + 0.7152 * rgb[i * 3 + 1]! + 0.0722 * rgb[i * 3 + 2]!,
  )
}
