// Finds foliage and water in a picture by colour, texture and place. Careful rather than complete: a region that is not
// surely there is not found. Pure.

import { boxBlur, correlation, type Luma, lumaOf } from '../../../video/picture/luma.ts'
import type { PictureAnalysis } from '../picture-analysis.ts'
import { findLikelySky } from '../relief/sky.ts'
import { findLikelyWater, largePieces } from './likely-water.ts'
import { openSky } from './wind.ts'

const shareMin = 0.05

/** Green and rough. */
export function findFoliage(analysis: PictureAnalysis): Luma | null {
  const { rgb, width, height, subject } = analysis
  if (analysis.marks) return null
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

/** Structure of a sky that can be seen to drift, in levels; a clear or grey sky has less. */
const cloudStructureMin = 1

/** The sky of a picture whose prompt names it, or what is likeliest one. */
export function namedSky({ sky, rgb, width, height, heads, marks }: PictureAnalysis): Luma | null {
  // Behind a portrait there is more often a backdrop than a sky.
  const mayBeSky = !marks && heads.every((head) => head.height < portraitHead)
  return sky ?? (mayBeSky ? findLikelySky(rgb, width, height) : null)
}

/** How much of the wind each place of the sky takes part in, where it shows clouds. */
export function findClouds(analysis: PictureAnalysis): Luma | null {
  const sky = namedSky(analysis)
  const open = sky && openSky(sky)
  return open && hasClouds(analysis, open) ? open : null
}

const portraitHead = 0.25

/** Whether the sky shows clouds where it is open: something whose drift can be seen. */
function hasClouds({ rgb, width, height }: PictureAnalysis, open: Luma): boolean {
  const luma = boxBlur(lumaOf(rgb), width, height, 2)
  const reach = Math.round(width * 0.04)
  let [sum, weight] = [0, 1e-9]
  for (let i = reach; i + reach < luma.length; i++) {
    if (i % width < reach || i % width >= width - reach) continue
    const share = Math.min(open.data[i]!, open.data[i - reach]!, open.data[i + reach]!)
    // Against its neighbours to both sides: a sky that only changes evenly, upwards or sideways, has no structure.
    sum += share * (luma[i]! - (luma[i - reach]! + luma[i + reach]!) / 2) ** 2
    weight += share
  }
  return Math.sqrt(sum / weight) > cloudStructureMin
}

/** Rows of water reach at least this far across. */
const waterRunMin = 0.22
const waterShareMin = 0.03

/**
 * Blue, green-blue or of the sky's own colour, in wide rows below the sky or in the lower part, and either calm or broken by
 * lines that lie flat, as waves do.
 */
export function findWater(analysis: PictureAnalysis): Luma | null {
  if (analysis.marks) return null
  const luma = lumaOf(analysis.rgb)
  // A prompt has named it: where nothing is surely water, the likeliest place is.
  return findSureWater(analysis, luma) ?? findLikelyWater(analysis, luma)
}

function findSureWater(analysis: PictureAnalysis, luma: Float32Array): Luma | null {
  const air = skyColour(analysis)
  const plain = waterLike(analysis, luma, (r, b) => air !== null && Math.hypot(r - air[0], b - air[1]) < mirrorReach)
  if (plain && mirrorsLight(analysis, luma, plain.data)) return plain
  // Under a sunset, water is golden below the light, and grey or blue to its sides. Ground may be so too, but only water is
  // bright where the sky above it is bright.
  if (!air || air[0] < sunsetMin || air[1] > -sunsetMin) return null
  const length = Math.hypot(air[0], air[1])
  const darkest = goldenMin * meanOver(luma, analysis.sky!.data)
  const golden = waterLike(analysis, luma, (r, b, level) => {
    if (level < darkest) return false
    const along = (r * air[0] + b * air[1]) / length
    return along > -6 && along < 2.6 * length && Math.abs(r * air[1] - b * air[0]) / length < mirrorReach
  })
  return golden &&
    mirrorsLight(analysis, luma, golden.data) &&
    likenessOfColumns(analysis, luma, golden.data) > columnsMin
    ? golden
    : null
}

/** How far the colour of water may be from that of the sky, in levels of red and blue over green. */
const mirrorReach = 20
/** How red, and how little blue, the sky of a sunset is. */
const sunsetMin = 12
/** How alike the courses of brightness in sky and water must be. */
const columnsMin = 0.6
/** The least brightness of golden water, as a share of the sky's. */
const goldenMin = 0.4

function meanOver(values: Float32Array, weights: Float32Array): number {
  let [sum, weight] = [0, 1e-9]
  for (let i = 0; i < values.length; i++) {
    sum += values[i]! * weights[i]!
    weight += weights[i]!
  }
  return sum / weight
}

/** Regions that look like water. `mirrors` decides by red and blue over green, and by brightness, what may reflect the sky. */
function waterLike(
  analysis: PictureAnalysis,
  luma: Float32Array,
  mirrors: (r: number, b: number, level: number) => boolean,
): Luma | null {
  const { rgb, width, height, sky, subject } = analysis
  const count = width * height
  const [across, down] = gradients(luma, width, height)
  const horizon = horizonOf(sky)
  const open = new Uint8Array(count)
  for (let i = 0; i < count; i++) {
    const row = Math.floor(i / width)
    if (row < horizon || (sky && sky.data[i]! > 0.3) || (subject?.mask[i] ?? 0) > 100) continue
    const r = rgb[i * 3]!
    const g = rgb[i * 3 + 1]!
    const b = rgb[i * 3 + 2]!
    const blue = b > r + 6 && b >= g - 10
    const flat = across[i]! < 3 || down[i]! > 1.15 * across[i]!
    open[i] = (blue || mirrors(r - g, b - g, luma[i]!)) && flat && across[i]! < 8 && down[i]! < 10 ? 1 : 0
  }
  const data = largePieces(wideRows(open, width, height), width)
  const found = data.reduce((sum, value) => sum + value, 0)
  if (found < waterShareMin * count) return null
  return { data: boxBlur(data, width, height, 3), width, height }
}

/** How alike, from column to column, the brightness above the horizon and that of the water are: 1 is the same course. */
function likenessOfColumns({ sky, width }: PictureAnalysis, luma: Float32Array, water: Float32Array): number {
  const horizon = horizonOf(sky) * width
  const columns = new Float64Array(4 * width)
  for (let i = 0; i < luma.length; i++) {
    const at = 4 * (i % width)
    const above = i < horizon ? i / horizon : 0
    columns[at]! += above * luma[i]!
    columns[at + 1]! += above
    columns[at + 2]! += water[i]! * luma[i]!
    columns[at + 3]! += water[i]!
  }
  const pairs: { sky: number; water: number }[] = []
  for (let at = 0; at < columns.length; at += 4) {
    const [above, sure, below, area] = columns.subarray(at, at + 4) as unknown as [number, number, number, number]
    if (sure > 4 && area > 4) pairs.push({ sky: above / sure, water: below / area })
  }
  if (pairs.length === 0) return 0
  return correlation(
    Float32Array.from(pairs, (pair) => pair.sky),
    Float32Array.from(pairs, (pair) => pair.water),
  )
}

/** Water is as bright as the sky that it mirrors, or clearly blue. A road is dark and nearly grey. */
function mirrorsLight({ rgb, sky }: PictureAnalysis, luma: Float32Array, water: Float32Array): boolean {
  let [light, blue, area, above, weight] = [0, 0, 1e-9, 0, 1e-9]
  for (let i = 0; i < water.length; i++) {
    light += water[i]! * luma[i]!
    blue += water[i]! * (rgb[i * 3 + 2]! - rgb[i * 3]!)
    area += water[i]!
    const share = (sky?.data[i] ?? 0) * (i / water.length)
    above += share * luma[i]!
    weight += share
  }
  return blue / area > waterBlue || light / area > waterLight * (above / weight)
}

const waterBlue = 24
const waterLight = 0.5

/** The row where the sky ends in most columns; where no sky is known, nothing is surely water. */
function horizonOf(sky: Luma | null): number {
  if (!sky) return Number.POSITIVE_INFINITY
  const ends: number[] = []
  for (let x = 0; x < sky.width; x++) {
    let end = 0
    for (let y = 0; y < sky.height; y++) if (sky.data[y * sky.width + x]! > 0.5) end = y
    ends.push(end)
  }
  return ends.toSorted((a, b) => a - b)[Math.floor(ends.length / 2)]!
}

/** Red and blue over green of the lower sky; null where it is grey. */
function skyColour({ rgb, sky }: PictureAnalysis): [number, number] | null {
  if (!sky) return null
  let [r, b, weight] = [0, 0, 1e-9]
  for (let i = 0; i < sky.data.length; i++) {
    const share = sky.data[i]! * (i / sky.data.length)
    r += share * (rgb[i * 3]! - rgb[i * 3 + 1]!)
    b += share * (rgb[i * 3 + 2]! - rgb[i * 3 + 1]!)
    weight += share
  }
  const colour: [number, number] = [r / weight, b / weight]
  // A grey sky has no colour to know its mirror by.
  return Math.hypot(...colour) > 14 ? colour : null
}

/** Keeps the runs of rows that are wide, small gaps filled. */
function wideRows(open: Uint8Array, width: number, height: number): Float32Array {
  const dense = boxBlur(Float32Array.from(open), width, height, 3)
  const kept = new Float32Array(open.length)
  for (let row = 0; row < height; row++) {
    for (let from = 0; from < width; ) {
      let to = from
      while (to < width && dense[row * width + to]! > 0.62) to++
      if (to - from > waterRunMin * width) kept.fill(1, row * width + from, row * width + to)
      from = to + 1
    }
  }
  return kept
}

/** Mean steps of brightness to the right and downwards, around each pixel. */
function gradients(luma: Float32Array, width: number, height: number): [Float32Array, Float32Array] {
  const right = luma.map((value, i) => ((i + 1) % width === 0 ? 0 : Math.abs(luma[i + 1]! - value)))
  const below = luma.map((value, i) => (i + width < luma.length ? Math.abs(luma[i + width]! - value) : 0))
  return [boxBlur(right, width, height, 4), boxBlur(below, width, height, 4)]
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
