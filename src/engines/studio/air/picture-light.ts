// What effects need to know of a picture's own light and shape: its colour, where it comes from, and what steams. Pure.

import type { Luma } from '../../../video/picture/luma.ts'
import { type Area, overlapArea, type Size } from '../../../video/picture/output-size.ts'
import type { PictureAnalysis } from '../picture-analysis.ts'
import type { Subject } from '../subject/subject.ts'
import type { Colour } from './mood.ts'

/** A picture, and what is seen in it. */
interface RequestPicture {
  pixels: Size
  analysis: PictureAnalysis | null
}

const neutral: Colour = [0.5, 0.5, 0.52]
const radiant = 0.97

/** The mean of the picture's brightest sixth, in linear light: what fog and mist are lit by. */
export function ambientLight(still: RequestPicture): Colour {
  return brightestLight(still, 1 / 6)
}

/** The same of its brightest fiftieth: the light itself, or what it falls on. */
export function highlightOf(still: RequestPicture): Colour {
  return brightestLight(still, 1 / 50)
}

function brightestLight({ analysis }: RequestPicture, share: number): Colour {
  if (!analysis) return neutral
  const { rgb } = analysis
  const levels = new Uint32Array(256)
  for (let i = 1; i < rgb.length; i += 3) levels[rgb[i]!]!++
  let least = 255
  for (let above = 0; least > 0 && above < (share * rgb.length) / 3; least--) above += levels[least]!
  const sums = [0, 0, 0]
  let count = 0
  for (let i = 0; i < rgb.length; i += 3) {
    if (rgb[i + 1]! < least) continue
    count++
    for (let c = 0; c < 3; c++) sums[c]! += (rgb[i + c]! / 255) ** 2
  }
  const [r, g, b] = sums.map((sum) => Math.min(0.7, Math.max(0.06, 0.8 * (sum / Math.max(1, count)))))
  return [r!, g!, b!]
}

/** In shares of the frame's sides; it may lie beyond them. */
export interface Place {
  x: number
  y: number
}

/** Where light comes from in the first frame. */
export interface Sun extends Place {
  /** Whether neither sky nor gaps between things show it: then it falls in from the side, wide and soft. */
  unseen: boolean
  /** Whether the sky shows the sun itself. */
  shown: boolean
}

/** The sun's disc, or the horizon of an evening sky; else from the brightest part of the upper two thirds. */
export function sunPlace({ analysis, pixels }: RequestPicture, area: Area): Sun {
  if (!analysis) return { x: 0.3, y: -0.1, unseen: true, shown: false }
  const { rgb, width, height, sky } = analysis
  const disc = sunDisc(analysis)
  if (disc) return { ...inFrame(disc, pixels, area), unseen: false, shown: true }
  const horizon = lowSun(analysis)
  if (horizon) return { ...inFrame(horizon, pixels, area), unseen: false, shown: false }
  const unseen = !sky && !lightComesFromAbove(analysis)
  let brightest = 1
  const level = (i: number) => rgb[i]! + rgb[i + 1]! + 0.6 * rgb[i + 2]!
  for (let i = 0; i < rgb.length; i += 3) {
    if (!sky || sky.data[i / 3]! > 0.5) brightest = Math.max(brightest, level(i))
  }
  let [sum, x, y] = [1e-9, 0, 0]
  for (let row = 0, i = 0; row < height * 0.66; row++) {
    for (let column = 0; column < width; column++, i += 3) {
      // Where there is sky, the sun is in it and not on a bright wall.
      const open = sky ? sky.data[i / 3]! : 1
      const weight = Math.max(0, level(i) / brightest - 0.8) * (1 - row / height) * open
      sum += weight
      x += weight * column
      y += weight * row
    }
  }
  const place = inFrame({ x: x / sum / width, y: y / sum / height }, pixels, area)
  if (unseen) return { x: place.x < 0.5 ? -0.3 : 1.3, y: -0.55, unseen, shown: false }
  if (sum < 1) return { x: 0.3, y: -0.1, unseen, shown: false }
  // Light from high up comes from beyond the frame. So does light whose source the picture does not show: a cloud is
  // bright, but only the sun is white. Without a sky, the brightest place is lit by a light and is not one itself.
  const white = sky !== null && brightest > radiant * (255 * 2.6) && place.y >= 0.2
  return { x: place.x, y: white ? place.y : -0.06, unseen, shown: false }
}

/** A place of the picture as shares of the frame. */
function inFrame({ x, y }: Place, picture: Size, area: Area): Place {
  return { x: (x * picture.width - area.x) / area.width, y: (y * picture.height - area.y) / area.height }
}

/** The sun itself, where the brightest part of the sky is small and compact; in shares of the picture's sides. */
function sunDisc({ rgb, width, height, sky }: PictureAnalysis): { x: number; y: number } | null {
  if (!sky) return null
  const level = (i: number) => rgb[i * 3]! + rgb[i * 3 + 1]! + 0.6 * rgb[i * 3 + 2]!
  let brightest = 1
  for (let i = 0; i < sky.data.length; i++) if (sky.data[i]! > 0.5) brightest = Math.max(brightest, level(i))
  let [count, x, y, squares] = [0, 0, 0, 0]
  for (let i = 0; i < sky.data.length; i++) {
    if (sky.data[i]! < 0.5 || level(i) < 0.94 * brightest) continue
    const [column, row] = [i % width, Math.floor(i / width)]
    count++
    x += column
    y += row
    squares += column ** 2 + row ** 2
  }
  const spread = Math.sqrt(Math.max(0, squares / count - (x / count) ** 2 - (y / count) ** 2))
  const small = count > discMin * sky.data.length && count < discMax * sky.data.length
  return small && spread < spreadMax * width ? { x: x / count / width, y: y / count / height } : null
}

const discMin = 0.0004
const discMax = 0.02
const spreadMax = 0.06

/** Where the sun has just set or is about to rise: a sky that grows bright and warm towards the horizon. */
function lowSun({ rgb, width, height, sky }: PictureAnalysis): Place | null {
  if (!sky) return null
  const first = sky.data.findIndex((share) => share > 0.5)
  const last = sky.data.findLastIndex((share) => share > 0.5)
  if (first < 0) return null
  const [top, bottom] = [Math.floor(first / width), Math.floor(last / width)]
  const quarter = Math.ceil((bottom - top) / 4)
  const high = meanOf(top, top + quarter)
  const low = meanOf(bottom - quarter, bottom + 1)
  const isWarmer = low.red - low.blue > high.red - high.blue + warmerMin
  if (!isWarmer || low.red + low.green < brighterMin * (high.red + high.green)) return null
  let [sum, x] = [1e-9, 0]
  for (let column = 0; column < width; column++) {
    const { red, green, count } = meanOf(bottom - quarter, bottom + 1, column)
    const weight = count * Math.max(0, red + green - low.red - low.green)
    sum += weight
    x += weight * column
  }
  return { x: x / sum / width, y: (bottom - quarter / 2) / height }

  /** The mean colour of the sky in these rows, or in one column of them. */
  function meanOf(from: number, to: number, column?: number) {
    let [count, red, green, blue] = [1e-9, 0, 0, 0]
    for (let i = from * width + (column ?? 0); i < to * width; i += column === undefined ? 1 : width) {
      if (sky!.data[i]! <= 0.5) continue
      count++
      red += rgb[i * 3]!
      green += rgb[i * 3 + 1]!
      blue += rgb[i * 3 + 2]!
    }
    return { red: red / count, green: green / count, blue: blue / count, count }
  }
}

/** How much warmer (red over blue, of 255) and brighter the lowest quarter of an evening sky is than the highest. */
const warmerMin = 70
const brighterMin = 1.2

/** Whether most of what is brightest and far is high in the picture, as the sky between trunks or a window is. */
function lightComesFromAbove(analysis: PictureAnalysis): boolean {
  const { data } = emissionOf(analysis)
  let [above, all] = [0, 1e-9]
  for (let i = 0; i < data.length; i++) {
    const light = data[i]! ** 4
    all += light
    if (i < data.length / 2 && (analysis.subject?.mask[i] ?? 0) < 100) above += light
  }
  return above > 0.5 * all
}

export interface PlumeOrigin extends Place {
  foot: number
  width: number
}

const openGround: PlumeOrigin = { x: 0.5, y: 0.86, foot: 0.94, width: 0.3 }

/**
 * Where plumes rise, in shares of the frame: from the top of each thing that the picture is of, several cups for one. No body
 * steams; smoke rises behind it, beside it. None where the picture has no place.
 */
export function plumeOrigins(
  { analysis, pixels }: RequestPicture,
  area: Area,
  plume: 'smoke' | 'steam',
): PlumeOrigin[] {
  const inArea = (box: Area): Area => {
    const { x, y } = inFrame(box, pixels, area)
    return { x, y, width: (box.width * pixels.width) / area.width, height: (box.height * pixels.height) / area.height }
  }
  const bodies = analysis ? analysis.heads.map((head) => inArea(bodyOf(head))) : []
  const things = (analysis?.subject ? piecesOf(analysis.subject) : [])
    .map(inArea)
    .filter((thing) => bodies.every((body) => overlapArea(thing, body) < 0.25 * thing.width * thing.height))
    .filter(({ x, width }) => x + width / 2 > 0.02 && x + width / 2 < 0.98)
  if (things.length > 0) return things.map(plumeOff)
  if (bodies.length === 0) return [openGround]
  if (plume === 'steam') return []
  const right = Math.max(...bodies.map(({ x, width }) => x + width))
  const left = Math.min(...bodies.map(({ x }) => x))
  const beside = 1 - right > left ? (1 + right) / 2 : left / 2
  return [{ x: Math.min(0.92, Math.max(0.08, beside)), y: 0.9, foot: 1, width: 0.2 }]
}

/** What is upright smokes from behind its foot; of what lies, such as a cup, the upper rim shows where the plume comes off. */
function plumeOff({ x, y, width, height }: Area): PlumeOrigin {
  const upright = height > 1.3 * width
  return {
    x: x + width / 2,
    y: Math.min(0.92, y + (upright ? 0.06 : 0.22) * height),
    foot: Math.min(0.98, y + (upright ? 0.95 : 0.4) * height),
    width: 0.42 * width,
  }
}

/** Where the body to a head is, as far as the picture shows it. */
function bodyOf({ x, y, width, height }: Area): Area {
  return { x: x - width, y, width: 3 * width, height: Math.min(1 - y, 6 * height) }
}

/** A piece of the subject counts as a thing of its own from this share of the largest. */
const pieceMin = 0.2
const piecesMax = 6

/** The separate things of a subject, from left to right, in shares of the picture's sides. */
function piecesOf({ mask, width, height }: Subject): Area[] {
  const seen = new Uint8Array(mask.length)
  const pieces: { count: number; box: Area }[] = []
  for (let start = 0; start < mask.length; start++) {
    if (seen[start] || mask[start]! < 128) continue
    let [count, left, right, top, bottom] = [0, width, 0, height, 0]
    const stack = [start]
    seen[start] = 1
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const [column, row] = [at % width, Math.floor(at / width)]
      count++
      ;[left, right] = [Math.min(left, column), Math.max(right, column + 1)]
      ;[top, bottom] = [Math.min(top, row), Math.max(bottom, row + 1)]
      for (const next of [at - width, at + width, column > 0 ? at - 1 : -1, column < width - 1 ? at + 1 : -1]) {
        if (next < 0 || next >= mask.length || seen[next] || mask[next]! < 128) continue
        seen[next] = 1
        stack.push(next)
      }
    }
    const box = { x: left / width, y: top / height, width: (right - left) / width, height: (bottom - top) / height }
    pieces.push({ count, box })
  }
  const least = pieceMin * Math.max(0, ...pieces.map((piece) => piece.count))
  return pieces
    .filter((piece) => piece.count >= least)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, piecesMax)
    .map(({ box }) => box)
    .toSorted((a, b) => a.x - b.x)
}

/** How much light each place sends out, 0 to 1: the picture's brightest parts, where they are far. */
export function emissionOf({ rgb, width, height, depth, sky }: PictureAnalysis): Luma {
  const level = (i: number) => (0.2126 * rgb[i * 3]! + 0.7152 * rgb[i * 3 + 1]! + 0.0722 * rgb[i * 3 + 2]!) / 255
  const sorted = Float32Array.from({ length: width * height }, (_, i) => level(i)).toSorted()
  const bright = Math.max(0.25, sorted[Math.floor(sorted.length * 0.97)]!)
  const dark = Math.max(bright * 0.55, sorted[Math.floor(sorted.length * 0.7)]!)
  const data = new Float32Array(width * height)
  for (let i = 0; i < data.length; i++) {
    const open = Math.max(sky?.data[i] ?? 0, depth ? 1 - depth.data[i]! : 0.6)
    data[i] = Math.min(1, Math.max(0, (level(i) - dark) / Math.max(0.04, bright - dark))) * open
  }
  return { data, width, height }
}

/** Whether the sky, or the picture where it has none, is dark. */
export function isDark({ analysis }: RequestPicture): boolean {
  if (!analysis) return false
  let [sum, weight] = [0, 1e-9]
  for (let i = 0; i < analysis.rgb.length / 3; i++) {
    const share = analysis.sky ? analysis.sky.data[i]! : 1
    sum += share * analysis.rgb[i * 3 + 1]!
    weight += share
  }
  return sum / weight < darkMax
}

const darkMax = 92

export function brightnessOf([r, g, b]: Colour): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The mean of all of the picture's light, linear. */
export function meanLight(analysis: PictureAnalysis | null): Colour {
  if (!analysis) return neutral
  const { rgb } = analysis
  const sums = [0, 0, 0]
  for (let i = 0; i < rgb.length; i++) sums[i % 3]! += (rgb[i]! / 255) ** 2
  const [r, g, b] = sums.map((sum) => (3 * sum) / rgb.length)
  return [r!, g!, b!]
}

/** How much light water and snow in the air catch: little at night, where a mist as bright as by day would grey everything. */
export function caughtLight(ambient: Colour): number {
  return Math.min(1, brightnessOf(ambient) / 0.35)
}

/** Whether a person sits before a plain backdrop: nothing shows there that light could fall through. */
export function hasBackdrop({ subject, heads, rgb, width, height }: PictureAnalysis): boolean {
  if (heads.length === 0 || !subject) return false
  let [count, sum, squares, steps] = [1e-9, 0, 0, 0]
  // The lower part holds shoulders and what the mask has missed of them.
  for (let i = 1; i < 0.6 * width * height; i++) {
    if (subject.mask[i]! > 20 || subject.mask[i - 1]! > 20) continue
    const level = rgb[i * 3 + 1]!
    count++
    sum += level
    squares += level * level
    steps += Math.abs(level - rgb[i * 3 - 2]!)
  }
  const deviation = Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2))
  return deviation < backdrop.deviation && steps / count < backdrop.step
}

/** How little a backdrop varies, and from pixel to pixel, in levels. */
const backdrop = { deviation: 26, step: 3 }
