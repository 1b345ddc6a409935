// The wind that clouds drift with: how fast each place of the sky moves, and where what is seen there has come from. All
// frames are drawn from the one picture by one displacement that grows smoothly, so no cloud is shown twice. Pure.

import { boxBlur, type Luma, sampleAt } from '../../../video/picture/luma.ts'

/** The pace of clouds far from everything that stands still, in widths of the frame per second. */
export const windPace = 0.013

/**
 * How far from things that stand still clouds begin to slow down, in widths of the picture. Clouds that come out from behind
 * them are stretched, which needs the most room; clouds that go behind them are compressed; and clouds that pass above them
 * lean, as clouds low over a horizon seem to because they are far away.
 */
const slowing = { comingOut: 0.3, goingBehind: 0.14, passing: 0.18 }
/** Nothing moves this near to the edge of the sky: birds and spires must not be dragged along. */
const held = 0.012
/** How surely a place must be sky. */
const sureSky = 0.985
const openSkyMin = 0.04

/** How much of the wind each place of a sky takes part in, 0 to 1; null where little of the sky is open. */
export function openSky({ data, width, height }: Luma): Luma | null {
  const other = data.map((value) => (value < sureSky ? 1 : 0))
  const nearOther = boxBlur(other, width, height, Math.ceil(held * width))
  const away = nearOther.map((share) => (share > 1e-4 ? 0 : Number.POSITIVE_INFINITY))
  // Clouds drift to the left, so what comes out appears at the left side of things.
  addSteps(away, width, height, {
    right: 1 / (slowing.comingOut * width),
    left: 1 / (slowing.goingBehind * width),
    vertical: 1 / (slowing.passing * width),
  })
  const share = boxBlur(away.map(eased), width, height, 2)
  if (share.reduce((sum, value) => sum + value, 0) < openSkyMin * share.length) return null
  return { data: share, width, height }
}

/** Holds the side of a part of the picture that clouds would come in from: nothing is known beyond it. */
export function heldWhereWindComesIn({ data, width, height }: Luma): Luma {
  const most = Float32Array.from({ length: width }, (_, x) => eased((width - 1 - x) / (slowing.comingOut * width)))
  return { data: data.map((share, i) => Math.min(share, most[i % width]!)), width, height }
}

/** Steps in which a place is followed back. */
const steps = 6

/**
 * How far to the right the wind has taken up what a place shows, as a share of the width; `travel` is how far it has blown.
 * Followed back through a steady wind, clouds never overtake each other or cross the edge of the sky, and a video that plays
 * on from the last frame goes on as this one would have.
 */
export function driftedFrom(share: Luma, x: number, y: number, travel: number): number {
  const row = y * share.height - 0.5
  const shareAt = (column: number) => sampleAt(share, column * share.width - 0.5, row)
  if (shareAt(x) === 0) return 0
  const reach = travel / steps
  let at = x
  for (let step = 0; step < steps; step++) at += reach * shareAt(at + (reach / 2) * shareAt(at))
  return at - x
}

const eased = (share: number) => {
  const own = Math.min(1, share)
  return own * own * (3 - 2 * own)
}

/** What a step away from a thing costs, by the side on which the thing is. */
interface StepCosts {
  left: number
  right: number
  vertical: number
}

/** Replaces all values by their distance from the nearest 0, by two passes over rows and columns. */
function addSteps(away: Float32Array, width: number, height: number, { left, right, vertical }: StepCosts): void {
  const pass = (at: number, by: number, cost: number) => {
    away[at] = Math.min(away[at]!, away[at + by]! + cost)
  }
  const [upLeft, upRight] = [Math.hypot(left, vertical), Math.hypot(right, vertical)]
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (x > 0) pass(at, -1, left)
      if (y > 0) pass(at, -width, vertical)
      if (x > 0 && y > 0) pass(at, -width - 1, upLeft)
      if (x < width - 1 && y > 0) pass(at, -width + 1, upRight)
    }
  }
  for (let y = height - 1, at = away.length - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--, at--) {
      if (x < width - 1) pass(at, 1, right)
      if (y < height - 1) pass(at, width, vertical)
      if (x < width - 1 && y < height - 1) pass(at, width + 1, upRight)
      if (x > 0 && y < height - 1) pass(at, width - 1, upLeft)
    }
  }
}
