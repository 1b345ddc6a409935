// Finds the sky of a picture by colour, texture and position. Pure.

import { boxBlur, type Luma, lumaOf } from '../../../video/picture/luma.ts'
import { addSurroundedClouds } from './cumulus.ts'
import { findDusk } from './dusk.ts'

/** A pixel may be sky if the levels around it deviate by at most this: clouds deviate a little, trees and houses more. */
const roughnessMax = 13
const shareMin = 0.06

/** How surely each pixel is sky, 0 to 1; null where the picture shows none. Pixels are packed RGB. */
export function findSky(rgb: Uint8Array, width: number, height: number): Luma | null {
  const luma = lumaOf(rgb)
  const sky = findDusk(rgb, luma, width, height) ?? findLightSky(rgb, luma, width, height)
  return sky && { data: boxBlur(Float32Array.from(sky), width, height, 2), width, height }
}

/** Of a picture whose prompt names its sky, what is likeliest one: it begins at the top, is soft, and brighter than the rest. */
export function findLikelySky(rgb: Uint8Array, width: number, height: number): Luma | null {
  const luma = lumaOf(rgb)
  const smooth = boxBlur(luma, width, height, 2)
  const open = openPlaces(rgb, luma, smooth, width, height, likely)
  const sky = connectedSky(open, smooth, width, Math.round(height * likely.lowest))
  const { found, top } = sumsOf(sky, luma, rgb, width)
  if (found < likely.share * luma.length || top < likely.top * width || found < solidMin * reachOf(sky, width))
    return null
  const light = luma.reduce((sum, level, i) => sum + (sky[i] ? level : 0), 0) / found
  const rest = luma.reduce((sum, level, i) => sum + (sky[i] ? 0 : level), 0) / Math.max(1, luma.length - found)
  if (light < likely.brighter * rest) return null
  return { data: boxBlur(Float32Array.from(sky), width, height, 2), width, height }
}

/** How rough and dark (by the picture's mean) such a sky may be, and what it takes: of the picture, of its top, brightness by the rest. */
const likely = { roughness: 24, light: 0.45, lowest: 0.72, share: 0.12, top: 0.6, brighter: 1.25 }

/** Pixels of a sky that is blue or brighter than what is below it. */
function findLightSky(rgb: Uint8Array, luma: Float32Array, width: number, height: number): Uint8Array | null {
  const count = width * height
  const smooth = boxBlur(luma, width, height, 2)
  const horizon = findHorizon(smooth, width, height)
  const sky = connectedSky(openPlaces(rgb, luma, smooth, width, height), smooth, width, horizon)
  const { found, low, lowLight, radiant, top, squares, colourfulness, mean } = sumsOf(sky, luma, rgb, width)
  // Patches between other things are no sky.
  if (found < shareMin * count || (found < patchMax * count && top < topMin * width)) return null
  if (found < solidMin * reachOf(sky, width)) return null
  // Smoothness from top to bottom is a wall or a studio backdrop, unless it is as blue as only the sky is.
  if (low > lowMax * count && (mean[2] < mean[0] + deepBlue || mean[1] < deepBlue)) return null
  const level = 0.2126 * mean[0] + 0.7152 * mean[1] + 0.0722 * mean[2]
  // Sky down to the lower border that grows dark there is a sky and its mirror image in water, with no horizon to part them.
  if (low > lowMax * count && lowLight / low < 0.6 * level) return null
  if (colourfulness / found < greyMax && (top < greyTopMin * width || !isBrightest(luma, sky))) return null
  const even = Math.sqrt(Math.max(0, squares / found - level ** 2)) < evenMax
  if (isBackdrop(mean, found / count, level >= radiantMin || (radiant > 0.03 * found && !even && top > 0.6 * width)))
    return null
  addSurroundedClouds(sky, rgb, luma, width)
  return sky
}

/** Whether a pixel may be sky, by its colour and how smooth its surroundings are. */
function openPlaces(
  rgb: Uint8Array,
  luma: Float32Array,
  smooth: Float32Array,
  width: number,
  height: number,
  { roughness, light } = { roughness: roughnessMax, light: 0.9 },
): Uint8Array {
  const squares = new Float32Array(luma.length)
  let sum = 0
  for (let i = 0; i < luma.length; i++) {
    squares[i] = luma[i]! * luma[i]!
    sum += luma[i]!
  }
  const square = boxBlur(squares, width, height, 2)
  const brightMin = Math.max(60, (light * sum) / luma.length)
  const open = new Uint8Array(luma.length)
  for (let i = 0; i < open.length; i++) {
    const r = rgb[i * 3]!
    const g = rgb[i * 3 + 1]!
    const b = rgb[i * 3 + 2]!
    const smoothEnough = square[i]! - smooth[i]! * smooth[i]! < roughness * roughness
    const blue = b >= g && b > r + 8
    const green = g > b + 12 && g > r
    open[i] = smoothEnough && (blue || smooth[i]! > brightMin) && !green ? 1 : 0
  }
  return open
}

/** Grows from the upper border down to the horizon, over connected pixels and only in small steps of brightness. */
function connectedSky(open: Uint8Array, smooth: Float32Array, width: number, horizon: number): Uint8Array {
  const sky = new Uint8Array(open.length)
  const stack = new Int32Array(open.length)
  let waiting = 0
  for (let x = 0; x < width; x++) {
    if (!open[x]) continue
    sky[x] = 1
    stack[waiting++] = x
  }
  const end = horizon * width
  const visit = (next: number, from: number) => {
    if (next < 0 || next >= end || sky[next] || !open[next]) return
    if (Math.abs(smooth[next]! - smooth[from]!) > 14) return
    sky[next] = 1
    stack[waiting++] = next
  }
  while (waiting > 0) {
    const at = stack[--waiting]!
    const x = at % width
    visit(at + width, at)
    if (x > 0) visit(at - 1, at)
    if (x < width - 1) visit(at + 1, at)
    visit(at - width, at)
  }
  return sky
}

/** What is known of the pixels that were found: how many, how many of them low or at the top, their light and colour. */
function sumsOf(sky: Uint8Array, luma: Float32Array, rgb: Uint8Array, width: number) {
  const sums = { found: 0, low: 0, lowLight: 0, radiant: 0, top: 0, squares: 0, colourfulness: 0 }
  const colour: [number, number, number] = [0, 0, 0]
  for (let i = 0; i < sky.length; i++) {
    if (!sky[i]) continue
    sums.found++
    if (i < width) sums.top++
    if (i > sky.length * 0.8) {
      sums.low++
      sums.lowLight += luma[i]!
    }
    if (luma[i]! > radiantLevel) sums.radiant++
    sums.squares += luma[i]! * luma[i]!
    const r = rgb[i * 3]!
    const g = rgb[i * 3 + 1]!
    const b = rgb[i * 3 + 2]!
    sums.colourfulness += Math.max(r, g, b) - Math.min(r, g, b)
    colour[0] += r
    colour[1] += g
    colour[2] += b
  }
  const mean = colour.map((sum) => sum / Math.max(1, sums.found)) as [number, number, number]
  return { ...sums, mean }
}

/** How many pixels lie above or at the lowest sky of their column: nearly all of them are sky where there is one. */
function reachOf(sky: Uint8Array, width: number): number {
  let sum = 0
  for (let x = 0; x < width; x++) {
    let at = sky.length - width + x
    while (at >= 0 && !sky[at]) at -= width
    if (at >= 0) sum += (at - x) / width + 1
  }
  return sum
}

const solidMin = 0.8

/** Whether what was found is brighter than nearly all of the rest: a grey sky is, a grey wall need not be. */
function isBrightest(luma: Float32Array, sky: Uint8Array): boolean {
  const [inside, rest] = [luma.filter((_, i) => sky[i]), luma.filter((_, i) => !sky[i])].map((own) => own.toSorted())
  return inside![Math.floor(0.2 * inside!.length)]! >= (rest![Math.floor(0.96 * rest!.length)] ?? 0)
}

const greyTopMin = 0.6
const greyMax = 20

/** The row near the middle where most columns turn darker or brighter; the picture's height where there is none. */
function findHorizon(smooth: Float32Array, width: number, height: number): number {
  let [best, most] = [height, horizonMin]
  for (let y = Math.floor(height * 0.3); y < height * 0.8; y++) {
    let [darker, brighter] = [0, 0]
    for (let x = 0; x < width; x++) {
      const step = smooth[(y + 2) * width + x]! - smooth[(y - 2) * width + x]!
      if (step < -horizonStep) darker++
      else if (step > horizonStep) brighter++
    }
    const changed = Math.max(darker, brighter) / width
    if (changed > most) [best, most] = [y, changed]
  }
  return best
}

const horizonMin = 0.72
const horizonStep = 7

/** Warm and nowhere radiant, as walls and tables are; or grey over nearly all of the picture. A sunset is radiant. */
function isBackdrop([r, g, b]: [number, number, number], share: number, radiant: boolean): boolean {
  const warm = r > b + 8
  const blue = b >= g && b > r + 8
  return (warm && !radiant) || (!blue && share > 0.65)
}

const evenMax = 26
const lowMax = 0.1
const patchMax = 0.2
const deepBlue = 70
const topMin = 0.34
const radiantLevel = 215
const radiantMin = 200
