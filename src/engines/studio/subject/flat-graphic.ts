// Tells flat graphics (screenshots, logos, drawings, charts, pages of text) from photographs, and finds where their marks
// are. Depth and living regions would be guessed into a graphic, and bend its straight lines. Pure.

import { extentOf } from '../../../video/picture/extent.ts'
import type { Area, Size } from '../../../video/picture/output-size.ts'

/** Steps between neighbours, in levels: a drawn surface has none, a photograph's texture small ones, an outline steep ones. */
const evenMax = 1
const texture = { most: 14 }
const steepMin = 40
/** An edge along a row or column is straight where this many pixels in a row step by this much, and hardly the other way. */
const straight = { pixels: 16, stepMin: 24, asideMax: 8 }
/** Colours are counted by the upper five bits of each part. */
const coarse = 3
const commonColours = 12

/** Shares of the picture that drawings have. */
const drawn = { even: 0.5, common: 0.7, textured: 4 }
/** What sets a drawing apart from a thing photographed on an empty background: outlines, surfaces or straight edges. */
const certain = { textured: 1.6, surfaces: 0.4, straight: 0.004 }
/** A screenshot that compression has made noisy is still full of straight edges. */
const noisy = { straight: 0.04, common: 0.55, textured: 4 }

/** What the classifier weighs; all but `textured` and `surfaces` are shares of the picture. */
export interface Flatness {
  /** Pixels equal to their neighbours. */
  even: number
  /** Pixels of one of the most common colours. */
  common: number
  /** Texture by outlines: how many small steps there are for each steep one. */
  textured: number
  /** Even pixels among those that are not of the background's colour. */
  surfaces: number
  /** Pixels on straight edges along rows and columns. */
  straight: number
}

/** Of a flat graphic, the bounds of all that stands out from its background, in shares of its sides; else null. */
export function marksOf(rgb: Uint8Array, size: Size): Area | null {
  return isFlat(flatnessOf(rgb, size)) ? boundsOfMarks(rgb, size) : null
}

export function isFlat({ even, common, textured, surfaces, straight: edges }: Flatness): boolean {
  const asDrawn = even > drawn.even && common > drawn.common && textured < drawn.textured
  const surely = textured < certain.textured || surfaces > certain.surfaces || edges > certain.straight
  return (asDrawn && surely) || (edges > noisy.straight && common > noisy.common && textured < noisy.textured)
}

export function flatnessOf(rgb: Uint8Array, { width, height }: Size): Flatness {
  const colours = coarseColours(rgb)
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const ordered = [...counts].toSorted((a, b) => b[1] - a[1])
  const background = alikeTo(ordered[0]![0], counts)
  const [across, down] = steps(rgb, width, height)
  let [even, soft, steep, things, surfaces, edges] = [0, 0, 0, 0, 0, 0]
  for (let i = 0; i < colours.length; i++) {
    const step = Math.max(across[i]!, down[i]!)
    if (step <= evenMax) even++
    else if (step <= texture.most) soft++
    else if (step > steepMin) steep++
    if (background.has(colours[i]!)) continue
    things++
    if (step <= evenMax) surfaces++
  }
  for (let x = 0; x < width; x++) edges += straightPixels(across, down, x, width, height)
  for (let y = 0; y < height; y++) edges += straightPixels(down, across, y * width, 1, width)
  const common = ordered.slice(0, commonColours).reduce((sum, [, count]) => sum + count, 0)
  const count = colours.length
  return {
    even: even / count,
    common: common / count,
    textured: soft / (steep + 0.002 * count),
    surfaces: surfaces / Math.max(1, things),
    straight: edges / count,
  }
}

function coarseColours(rgb: Uint8Array): Uint16Array {
  return Uint16Array.from(
    { length: rgb.length / 3 },
    (_, i) => ((rgb[i * 3]! >> coarse) << 10) | ((rgb[i * 3 + 1]! >> coarse) << 5) | (rgb[i * 3 + 2]! >> coarse),
  )
}

/** The counted colours that are close to one. */
function alikeTo(colour: number, counts: Map<number, number>): Set<number> {
  const parts = (own: number) => [own >> 10, (own >> 5) & 31, own & 31] as const
  const wanted = parts(colour)
  return new Set([...counts.keys()].filter((own) => parts(own).every((part, c) => Math.abs(part - wanted[c]!) <= 2)))
}

/** The steps to the right and downwards, of the part of the colour that changes most; 0 at the far edges. */
function steps(rgb: Uint8Array, width: number, height: number): [Uint8Array, Uint8Array] {
  const [across, down] = [new Uint8Array(width * height), new Uint8Array(width * height)]
  for (let y = 0; y + 1 < height; y++) {
    for (let x = 0; x + 1 < width; x++) {
      const i = y * width + x
      for (let at = 3 * i; at < 3 * i + 3; at++) {
        across[i] = Math.max(across[i]!, Math.abs(rgb[at]! - rgb[at + 3]!))
        down[i] = Math.max(down[i]!, Math.abs(rgb[at]! - rgb[at + 3 * width]!))
      }
    }
  }
  return [across, down]
}

/** Pixels of long straight edges along one line of `length` pixels that are `by` apart. */
function straightPixels(over: Uint8Array, along: Uint8Array, from: number, by: number, length: number): number {
  let [sum, run] = [0, 0]
  for (let k = 0, i = from; k <= length; k++, i += by) {
    if (k < length && over[i]! > straight.stepMin && along[i]! <= straight.asideMax) {
      run++
      continue
    }
    if (run >= straight.pixels) sum += run
    run = 0
  }
  return sum
}

/** The bounds of what does not have the colour of most of the border; the whole where nothing stands out. */
function boundsOfMarks(rgb: Uint8Array, size: Size): Area {
  const { width, height } = size
  const colours = coarseColours(rgb)
  const onBorder = new Map<number, number>()
  for (let i = 0; i < colours.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
    const own = x === 0 || x === width - 1 || y === 0 || y === height - 1 ? 1 : 0
    onBorder.set(colours[i]!, (onBorder.get(colours[i]!) ?? 0) + own)
  }
  const [most] = [...onBorder].reduce((most, own) => (own[1] > most[1] ? own : most))
  const background = alikeTo(most, onBorder)
  const marks = Uint8Array.from(colours, (colour) => (background.has(colour) ? 0 : 1))
  const bounds = extentOf(marks, size, 1) ?? { x: 0, y: 0, ...size }
  return {
    x: bounds.x / width,
    y: bounds.y / height,
    width: bounds.width / width,
    height: bounds.height / height,
  }
}
