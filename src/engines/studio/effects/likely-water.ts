// Finds the water of a picture whose prompt names water: the region that looks most like it, by its mirror image of what is
// above, its colour, and lines that lie flat. Water that nobody named is in regions.ts, with a higher bar. Pure.

import { boxBlur, type Luma } from '../../../video/picture/luma.ts'
import type { PictureAnalysis } from '../picture-analysis.ts'

/** How much like water a place must be, 0 to 1, and how much of the picture must be. */
const likenessMin = 0.56
const shareMin = 0.03
/** Water is low in a picture: not above the first of these shares of the height, and anywhere below the second. */
const lowness = { from: 0.36, to: 0.46 }
/** Rows of it reach at least this far across, and pieces count from this share of the largest. */
const runMin = 0.1
const pieceMin = 0.2
/** How low the lowest place of a piece must lie, as a share of the height. */
const lowestMin = 0.55

export function findLikelyWater(analysis: PictureAnalysis, luma: Float32Array): Luma | null {
  const { width, height } = analysis
  const allowed = whereWaterMayBe(analysis)
  const air = airOf(analysis, luma)
  // Ground is golden under a sunset, too, and lies in bands: there only blue counts.
  const isSunset = air !== null && air.red > warm && air.blue < -warm
  const { likeness: mirrored, shore } = mirrorLikeness(analysis, luma)
  const coloured = colourLikeness(analysis, luma, isSunset ? null : air)
  const lying = lyingLines(luma, width, height)
  const raw = lying.map((lies, i) => {
    const low = i < shore * width ? 0 : ramp(i / luma.length, lowness.from, lowness.to)
    return (
      allowed[i]! * low * Math.max(lies * coloured[i]!, isSunset ? 0 : Math.min(1, 0.45 + 0.55 * lies) * mirrored[i]!)
    )
  })
  const likeness = boxBlur(boxBlur(raw, width, height, 5), width, height, 5)
  const open = likeness.map((value) => (value > likenessMin ? 1 : 0))
  const data = largePieces(wideRuns(open, width, height), width)
  const found = data.reduce((sum, value) => sum + value, 0)
  return found < shareMin * data.length ? null : { data: boxBlur(data, width, height, 3), width, height }
}

/** 1 below the sky, outside of the subject and of people, and not where the picture is green and rough. */
function whereWaterMayBe({ rgb, width, height, sky, subject, heads }: PictureAnalysis): Float32Array {
  const allowed = new Float32Array(width * height)
  for (let x = 0; x < width; x++) {
    let top = 0
    for (let y = 0; sky && y < height; y++) if (sky.data[y * width + x]! > 0.5) top = Math.max(top, y + 1)
    for (let y = top; y < height; y++) {
      const i = y * width + x
      const [r, g, b] = [rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!]
      const plant = g > b + 14 && g > r + 4
      allowed[i] = (subject?.mask[i] ?? 0) > 100 ? 0 : plant ? 0.6 : 1
    }
  }
  for (const head of heads) {
    const left = Math.max(0, Math.floor((head.x - head.width) * width))
    const right = Math.min(width, Math.ceil((head.x + 2 * head.width) * width))
    for (let y = Math.floor(head.y * height); y < height; y++) allowed.fill(0, y * width + left, y * width + right)
  }
  return allowed
}

interface Air {
  /** Red and blue over green, and brightness. */
  red: number
  blue: number
  light: number
}

/** The colour of the lower sky; null where no sky is known. */
function airOf({ rgb, sky }: PictureAnalysis, luma: Float32Array): Air | null {
  if (!sky) return null
  let [red, blue, light, weight] = [0, 0, 0, 1e-9]
  for (let i = 0; i < sky.data.length; i++) {
    const share = sky.data[i]! * (i / sky.data.length)
    red += share * (rgb[i * 3]! - rgb[i * 3 + 1]!)
    blue += share * (rgb[i * 3 + 2]! - rgb[i * 3 + 1]!)
    light += share * luma[i]!
    weight += share
  }
  return { red: red / weight, blue: blue / weight, light: light / weight }
}

/** Blue, green-blue, or of the colour and light of the sky. */
function colourLikeness({ rgb }: PictureAnalysis, luma: Float32Array, air: Air | null): Float32Array {
  return luma.map((level, i) => {
    const [r, g, b] = [rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!]
    const isBlue = ramp(b - r, 4, 34) * ramp(b - g, -26, -8)
    if (!air) return isBlue
    const ofSky = ramp(-Math.hypot(r - g - air.red, b - g - air.blue), -34, -14)
    return Math.max(isBlue, 0.9 * ofSky * ramp(level / air.light, 0.45, 0.7))
  })
}

/** How red, and how little blue, the sky of a sunset is over its green. */
const warm = 12

/** High where steps of brightness are few, or lie flat as waves do; low on walls, trunks and rough ground. */
function lyingLines(luma: Float32Array, width: number, height: number): Float32Array {
  const right = luma.map((value, i) => ((i + 1) % width === 0 ? 0 : Math.abs(luma[i + 1]! - value)))
  const below = luma.map((value, i) => (i + width < luma.length ? Math.abs(luma[i + width]! - value) : 0))
  const [across, down] = [right, below].map((steps) => boxBlur(steps, width, height, 6))
  return across!.map((upright, i) => Math.max(ramp(-upright, -4, -1.6), ramp(down![i]! / (upright + 0.5), 0.75, 1.25)))
}

/** Columns are compared in groups of this share of the width, at most this share of the height to either side of a shore. */
const groupShare = 0.1
const depthShare = 0.28
const shoreStep = 0.02

/** How much each place looks like the mirror image of what is above a shore, which may lie elsewhere in each group of columns. */
function mirrorLikeness({ width, height }: PictureAnalysis, luma: Float32Array) {
  const soft = boxBlur(boxBlur(luma, width, height, 4), width, height, 4)
  const group = Math.round(groupShare * width)
  const shores: { left: number; row: number; likeness: number }[] = []
  for (let left = 0; left + group <= width; left += group >> 1) {
    const best = { left, row: 0, likeness: mirrorMin }
    for (let share = 0.3; share < 0.85; share += shoreStep) {
      const row = Math.round(share * height)
      const likeness = mirroredAt(soft, width, height, row, left, group)
      if (likeness > best.likeness) Object.assign(best, { row, likeness })
    }
    shores.push(best)
  }
  const likeness = new Float32Array(luma.length)
  const found: number[] = []
  for (const [i, { left, row, likeness: own }] of shores.entries()) {
    // The next groups that share no column with it: floors and tables are a mirror here and there only.
    const goesOn = [i - 2, i + 2].some((other) => Math.abs((shores[other]?.row ?? 0) - row) < shoreSlope * height)
    if (row === 0 || !goesOn) continue
    found.push(row)
    const value = ramp(own, mirrorMin, mirrorSure)
    for (let y = row; y < height; y++) {
      for (let x = left; x < left + group; x++) likeness[y * width + x]! += value / 2
    }
  }
  // A shore across the picture is where all water ends.
  const shore = found.length > shores.length / 2 ? Math.min(...found) : 0
  return { likeness: boxBlur(likeness, width, height, group >> 2), shore }
}

/** How much the shore may rise or fall from group to group, in shares of the height. */
const shoreSlope = 0.06
const mirrorMin = 0.58
const mirrorSure = 0.78

/** The correlation of what is above a row with what is below it, turned over, in some columns. */
function mirroredAt(soft: Float32Array, width: number, height: number, row: number, left: number, columns: number) {
  const depth = Math.min(row, height - row, Math.round(depthShare * height)) - 1
  if (depth < 0.08 * height) return 0
  let [n, a, b, aa, bb, ab] = [0, 0, 0, 0, 0, 0]
  for (let d = 2; d < depth; d += 3) {
    for (let x = left; x < left + columns; x += 3) {
      const [above, below] = [soft[(row - d) * width + x]!, soft[(row + d) * width + x]!]
      n++
      a += above
      b += below
      aa += above * above
      bb += below * below
      ab += above * below
    }
  }
  const [varA, varB] = [aa / n - (a / n) ** 2, bb / n - (b / n) ** 2]
  // Even surfaces are alike by chance.
  if (varA < contrastMin ** 2 || varB < contrastMin ** 2) return 0
  return (ab / n - (a / n) * (b / n)) / Math.sqrt(varA * varB)
}

const contrastMin = 9

/** Keeps the runs of rows that are wide. */
function wideRuns(open: Float32Array, width: number, height: number): Float32Array {
  const dense = boxBlur(open, width, height, 3)
  const kept = new Float32Array(open.length)
  for (let row = 0; row < height; row++) {
    for (let from = 0; from < width; ) {
      let to = from
      while (to < width && dense[row * width + to]! > 0.5) to++
      if (to - from > runMin * width) kept.fill(1, row * width + from, row * width + to)
      from = to + 1
    }
  }
  return kept
}

/** The pieces of a region that are large and reach the lower half: what hangs above is sky or hills. */
export function largePieces(open: Float32Array, width: number): Float32Array {
  const piece = new Int32Array(open.length)
  const counts = [0]
  const lowest = [0]
  for (let start = 0; start < open.length; start++) {
    if (!open[start] || piece[start]) continue
    const own = counts.push(0) - 1
    lowest[own] = 0
    const stack = [start]
    piece[start] = own
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      counts[own]!++
      lowest[own] = Math.max(lowest[own]!, at)
      const column = at % width
      for (const next of [at - width, at + width, column > 0 ? at - 1 : -1, column < width - 1 ? at + 1 : -1]) {
        if (next < 0 || next >= open.length || piece[next] || !open[next]) continue
        piece[next] = own
        stack.push(next)
      }
    }
  }
  const least = Math.max(...counts) * pieceMin
  const isLow = (own: number) => lowest[own]! > lowestMin * open.length
  return open.map((value, i) => (value && counts[piece[i]!]! >= least && isLow(piece[i]!) ? 1 : 0))
}

/** 0 up to a value, 1 from another on. */
function ramp(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)))
}
