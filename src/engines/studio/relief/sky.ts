// Finds the sky of a picture by colour, texture and position. Pure.

import { boxBlur, type Luma } from '../../../video/picture/luma.ts'

/** Levels of deviation around a pixel up to which it may be sky; clouds have some, trees and houses have more. */
const roughnessMax = 13
const shareMin = 0.03

/** How surely each pixel is sky, 0 to 1; null where the picture shows none. Pixels are packed RGB. */
export function findSky(rgb: Uint8Array, width: number, height: number): Luma | null {
  const count = width * height
  const luma = new Float32Array(count)
  let sum = 0
  for (let i = 0; i < count; i++) {
    luma[i] = 0.2126 * rgb[i * 3]! + 0.7152 * rgb[i * 3 + 1]! + 0.0722 * rgb[i * 3 + 2]!
    sum += luma[i]!
  }
  const mean = sum / count
  const smooth = boxBlur(luma, width, height, 2)
  const square = boxBlur(
    luma.map((value) => value * value),
    width,
    height,
    2,
  )
  const open = new Uint8Array(count)
  for (let i = 0; i < count; i++) {
    const [r, g, b] = [rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!]
    const rough = Math.sqrt(Math.max(0, square[i]! - smooth[i]! ** 2))
    const blue = b >= g && b > r + 8
    const bright = smooth[i]! > Math.max(60, 0.9 * mean)
    const green = g > b + 12 && g > r
    open[i] = rough < roughnessMax && (blue || bright) && !green ? 1 : 0
  }
  // From the upper border downwards: what hangs together with it, and never more than a small step in brightness.
  const sky = new Uint8Array(count)
  const stack: number[] = []
  for (let x = 0; x < width; x++) if (open[x]) stack.push(x)
  for (const start of stack) sky[start] = 1
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const x = at % width
    for (const next of [at + width, x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width]) {
      if (next < 0 || next >= count || sky[next] || !open[next]) continue
      if (Math.abs(smooth[next]! - smooth[at]!) > 14) continue
      sky[next] = 1
      stack.push(next)
    }
  }
  let found = 0
  let low = 0
  const colour = [0, 0, 0]
  for (let i = 0; i < count; i++) {
    if (!sky[i]) continue
    found++
    if (i > count * 0.8) low++
    for (let c = 0; c < 3; c++) colour[c]! += rgb[i * 3 + c]!
  }
  // Smoothness from top to bottom is a wall or a studio backdrop.
  if (found < shareMin * count || low > 0.5 * 0.2 * count) return null
  if (isBackdrop(colour.map((sum) => sum / found) as [number, number, number], found / count)) return null
  return { data: boxBlur(Float32Array.from(sky), width, height, 2), width, height }
}

/** Warm and not radiant, as walls and tables are; or grey over nearly all of the picture. A sunset is radiant. */
function isBackdrop([r, g, b]: [number, number, number], share: number): boolean {
  const warm = r > b + 8
  const blue = b >= g && b > r + 8
  return (warm && 0.2126 * r + 0.7152 * g + 0.0722 * b < radiantMin) || (!blue && share > 0.65)
}

const radiantMin = 200
