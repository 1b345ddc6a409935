// Owns the first guess of how one picture becomes another: one shift, scale and rotation for all of it, also a large one.
// The motion of each pixel is found by flow.ts.

import { halve, type Luma, sampleAt, structureOf } from '../../../video/picture/luma.ts'

/** Takes a point p, counted from the middle in picture widths, to (1 + a)·p + b·(p turned by 90°) + shift. */
export interface Similarity {
  a: number
  b: number
  x: number
  y: number
}

const noChange: Similarity = { a: 0, b: 0, x: 0, y: 0 }

const scales = [0.66, 0.76, 0.87, 1, 1.15, 1.32, 1.52]
const degrees = [-30, -20, -10, 0, 10, 20, 30]
/** The side of a square with as many pixels as the small pictures have, about. */
const coarseSide = 27
const refinedSide = 67
/** Least part of the picture that must still lie inside the other one. */
const overlapMin = 0.4
const candidatesKept = 6

/** The similarity that takes `from` best to `to`, or no change where none fits better. */
export function findSimilarity(from: Luma, to: Luma): Similarity {
  const [coarseFrom, coarseTo] = [shrink(from, coarseSide), shrink(to, coarseSide)]
  const [fineFrom, fineTo] = [shrink(from, refinedSide), shrink(to, refinedSide)]
  const guesses = [noChange, ...searchCoarsely(coarseFrom, coarseTo)]
  let best = noChange
  let bestScore = fitOf(fineFrom, fineTo, noChange)
  for (const guess of guesses) {
    const refined = refine(fineFrom, fineTo, refine(coarseFrom, coarseTo, guess, 6), 8)
    const score = fitOf(fineFrom, fineTo, refined)
    if (score > bestScore) {
      best = refined
      bestScore = score
    }
  }
  // A weak fit is chance: pixels then start where they are.
  return bestScore < 0.15 ? noChange : best
}

export function inverseOf({ a, b, x, y }: Similarity): Similarity {
  const scale = (1 + a) ** 2 + b ** 2
  const [ia, ib] = [(1 + a) / scale, -b / scale]
  return { a: ia - 1, b: ib, x: -(ia * x - ib * y), y: -(ib * x + ia * y) }
}

function shrink(picture: Luma, side: number): Luma {
  let small = picture
  while (Math.sqrt(small.width * small.height) >= side * 1.5) small = halve(small)
  return structureOf(small, Math.max(2, Math.round(side / 6)))
}

/** Tries scales, rotations and shifts on very small pictures, and returns the best few. */
function searchCoarsely(from: Luma, to: Luma): Similarity[] {
  const { width, height } = from
  // Even, so that every second shift includes none at all; the refinement bridges the shifts between.
  const reachX = 2 * Math.round(width * 0.18)
  const reachY = 2 * Math.round(height * 0.18)
  const found: { score: number; guess: Similarity }[] = []
  for (const scale of scales) {
    for (const degree of degrees) {
      const angle = (degree * Math.PI) / 180
      const [a, b] = [scale * Math.cos(angle) - 1, scale * Math.sin(angle)]
      const turned = turn(to, a, b, reachX, reachY)
      let best = { score: -1, dx: 0, dy: 0 }
      for (let dy = -reachY; dy <= reachY; dy += 2) {
        for (let dx = -reachX; dx <= reachX; dx += 2) {
          const score = correlate(from, turned, dx + reachX, dy + reachY)
          if (score > best.score) best = { score, dx, dy }
        }
      }
      const [sx, sy] = [best.dx / width, best.dy / width]
      found.push({ score: best.score, guess: { a, b, x: (1 + a) * sx - b * sy, y: b * sx + (1 + a) * sy } })
    }
  }
  found.sort((one, other) => other.score - one.score)
  return found.slice(0, candidatesKept).map(({ guess }) => guess)
}

/** `picture` seen through a similarity, on a canvas wider by the reach on each side; NaN where there is nothing. */
function turn(picture: Luma, a: number, b: number, reachX: number, reachY: number): Luma {
  const width = picture.width + 2 * reachX
  const height = picture.height + 2 * reachY
  const [mx, my] = [(picture.width - 1) / 2, (picture.height - 1) / 2]
  const data = new Float32Array(width * height)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const [px, py] = [x - reachX - mx, y - reachY - my]
      const [sx, sy] = [(1 + a) * px - b * py + mx, b * px + (1 + a) * py + my]
      const inside = sx >= 0 && sy >= 0 && sx <= picture.width - 1 && sy <= picture.height - 1
      data[i] = inside ? sampleAt(picture, sx, sy) : Number.NaN
    }
  }
  return { data, width, height }
}

/** Normalised correlation where both have pixels; less overlap makes a fit count less. */
function correlate(from: Luma, canvas: Luma, left: number, top: number): number {
  let [product, fromPower, toPower, count] = [0, 0, 0, 0]
  for (let y = 0, i = 0; y < from.height; y++) {
    let j = (y + top) * canvas.width + left
    for (let x = 0; x < from.width; x++, i++, j++) {
      const other = canvas.data[j]!
      if (Number.isNaN(other)) continue
      const own = from.data[i]!
      product += own * other
      fromPower += own * own
      toPower += other * other
      count++
    }
  }
  return scoreOf(product, fromPower, toPower, count / from.data.length)
}

function scoreOf(product: number, fromPower: number, toPower: number, overlap: number): number {
  if (overlap < overlapMin || fromPower <= 0 || toPower <= 0) return -1
  return (product / Math.sqrt(fromPower * toPower)) * overlap ** 0.35
}

function fitOf(from: Luma, to: Luma, guess: Similarity): number {
  let [product, fromPower, toPower, count] = [0, 0, 0, 0]
  eachInside(from, to, guess, (i, sx, sy) => {
    const own = from.data[i]!
    const other = sampleAt(to, sx, sy)
    product += own * other
    fromPower += own * own
    toPower += other * other
    count++
  })
  return scoreOf(product, fromPower, toPower, count / from.data.length)
}

function eachInside(
  from: Luma,
  to: Luma,
  guess: Similarity,
  visit: (i: number, sx: number, sy: number, px: number, py: number) => void,
) {
  const { width, height } = from
  const [mx, my] = [(width - 1) / 2, (height - 1) / 2]
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const [px, py] = [x - mx, y - my]
      const sx = (1 + guess.a) * px - guess.b * py + guess.x * width + mx
      const sy = guess.b * px + (1 + guess.a) * py + guess.y * width + my
      if (sx >= 0 && sy >= 0 && sx <= to.width - 1 && sy <= to.height - 1) visit(i, sx, sy, px, py)
    }
  }
}

/** Gauss–Newton on the four numbers of the similarity. */
function refine(from: Luma, to: Luma, guess: Similarity, rounds: number): Similarity {
  let current = guess
  for (let round = 0; round < rounds; round++) {
    const matrix = Array.from({ length: 4 }, () => [0, 0, 0, 0, 0])
    eachInside(from, to, current, (i, sx, sy, px, py) => {
      const gx = (sampleAt(to, sx + 1, sy) - sampleAt(to, sx - 1, sy)) / 2
      const gy = (sampleAt(to, sx, sy + 1) - sampleAt(to, sx, sy - 1)) / 2
      const error = from.data[i]! - sampleAt(to, sx, sy)
      // Large differences belong to what moved on its own; they pull less.
      const trust = 1 / (1 + error * error)
      const slope = [gx * px + gy * py, gy * px - gx * py, gx, gy]
      for (let r = 0; r < 4; r++) {
        for (let c = 0; c < 4; c++) matrix[r]![c]! += trust * slope[r]! * slope[c]!
        matrix[r]![4]! += trust * slope[r]! * error
      }
    })
    const step = solve(matrix)
    if (!step) break
    const [da, db, dx, dy] = step as [number, number, number, number]
    current = {
      a: Math.min(0.8, Math.max(-0.5, current.a + da)),
      b: Math.min(0.7, Math.max(-0.7, current.b + db)),
      x: Math.min(0.5, Math.max(-0.5, current.x + dx / from.width)),
      y: Math.min(0.5, Math.max(-0.5, current.y + dy / from.width)),
    }
    if (Math.abs(dx) + Math.abs(dy) + (Math.abs(da) + Math.abs(db)) * from.width < 0.01) break
  }
  return current
}

/** Solves four equations given as rows of five numbers; null where they do not determine an answer. */
function solve(rows: number[][]): number[] | null {
  const size = rows.length
  for (let column = 0; column < size; column++) {
    let pivot = column
    for (let r = column + 1; r < size; r++) {
      if (Math.abs(rows[r]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = r
    }
    const lead = rows[pivot]!
    if (Math.abs(lead[column]!) < 1e-6) return null
    rows[pivot] = rows[column]!
    rows[column] = lead
    for (let r = 0; r < size; r++) {
      if (r === column) continue
      const factor = rows[r]![column]! / lead[column]!
      for (let c = column; c <= size; c++) rows[r]![c]! -= factor * lead[c]!
    }
  }
  return rows.map((row, i) => row[size]! / row[i]!)
}
