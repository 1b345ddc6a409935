// How fast what a video shows moves on both sides of a join, for tests and benchmarks.

import type { Size } from '../../../../src/video/picture/output-size.ts'
import { displacementAt, type Gray } from './motion.ts'

/** A second on each side of the join, or as much as a shorter clip has, in hops that a fit can follow. */
const hopFrames = 6
const hopsMost = 4
const radius = 14
/** Windows of less contrast from pixel to pixel show no motion. */
const contrastMin = 1.5
/** In pixels; a fit beyond it followed something else. */
const hopMax = 40

/**
 * The speed of the second after a join by that of the second before it, over windows of the frame: 1 where the motion plays
 * on. NaN where the frame has no detail to follow.
 */
export function paceAcross(before: Uint8Array[], after: Uint8Array[], { width, height }: Size): number {
  const gray = (data: Uint8Array): Gray => ({ data, width, height })
  const hops = Math.min(hopsMost, Math.floor((Math.min(before.length, after.length) - 1) / hopFrames))
  const away = Array.from({ length: hops + 1 }, (_, i) => i * hopFrames)
  const [old, next] = [away.map((at) => gray(before.at(-1 - at)!)), away.map((at) => gray(after[at]!))]
  const sums = { before: 0, after: 0 }
  for (let row = 1; row < 5; row++) {
    for (let column = 1; column < 7; column++) {
      const centre = { x: Math.round((column * width) / 7), y: Math.round((row * height) / 5) }
      if (contrastAt(old[0]!, centre) < contrastMin) continue
      const [back, on] = [travelAt(old, centre), travelAt(next, centre)]
      if (Number.isNaN(back + on)) continue
      sums.before += back
      sums.after += on
    }
  }
  return sums.after / sums.before
}

/** How far what is seen at one place of the frame moves from each picture to the next. */
function travelAt(pictures: Gray[], centre: { x: number; y: number }): number {
  let travel = 0
  let hop = { x: 0, y: 0 }
  for (const [i, picture] of pictures.slice(1).entries()) {
    hop = displacementAt(pictures[i]!, picture, centre, radius, hop)
    if (!(Math.hypot(hop.x, hop.y) < hopMax)) return Number.NaN
    travel += Math.hypot(hop.x, hop.y)
  }
  return travel
}

function contrastAt({ data, width }: Gray, { x, y }: { x: number; y: number }): number {
  let [across, down] = [0, 0]
  for (let row = y - radius; row < y + radius; row++) {
    for (let column = x - radius; column < x + radius; column++) {
      const at = row * width + column
      across += Math.abs(data[at + 1]! - data[at]!)
      down += Math.abs(data[at + width]! - data[at]!)
    }
  }
  return Math.min(across, down) / (2 * radius) ** 2
}
