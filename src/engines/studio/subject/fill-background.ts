// Owns painting over the subject of a picture with what surrounds it, so that the background can move on its own.
// It finds no subject (salient-mask.ts does) and invents no texture: the fill is smooth, as only its rim is ever seen.

import { extentOf } from '../../../video/picture/extent.ts'
import { boxBlur, fillGaps, type Luma } from '../../../video/picture/luma.ts'

/** Mask values above this belong to the subject or its soft border. */
const coveredMin = 12
/** How far beyond its mask a subject still colours the picture, as a share of the longer side. */
const reachShare = 0.012

interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** A copy of an RGB picture whose masked part is filled from around it. Pixels beyond the subject's reach stay as they
 * are; a subject that covers everything leaves nothing to fill from, and the picture as it is. */
export function fillBackground(rgb: Uint8Array, width: number, height: number, mask: Uint8Array): Uint8Array {
  // Not slice(), which in a Buffer gives a view and no copy.
  const filled = new Uint8Array(rgb)
  const reach = Math.max(2, Math.round(Math.max(width, height) * reachShare))
  const box = boxAround(mask, width, height, 4 * reach)
  if (!box) return filled
  const hole = holeIn(mask, width, box, reach)
  let open = 0
  for (const value of hole) if (value === 0) open++
  if (open === 0) return filled

  const size = box.width * box.height
  const weight: Luma = { data: hole.map((value) => 1 - value), width: box.width, height: box.height }
  const colours = [0, 1, 2].map((channel): Luma => {
    const data = new Float32Array(size)
    for (let y = 0, i = 0; y < box.height; y++) {
      let at = ((y + box.top) * width + box.left) * 3 + channel
      for (let x = 0; x < box.width; x++, i++, at += 3) data[i] = rgb[at]!
    }
    return { data, width: box.width, height: box.height }
  })
  const depth = depthOf(hole, box, reach)
  for (const [channel, layer] of fillGaps(weight, colours).entries()) {
    const softened = soften(layer, depth, reach)
    for (let y = 0, i = 0; y < box.height; y++) {
      let at = ((y + box.top) * width + box.left) * 3 + channel
      for (let x = 0; x < box.width; x++, i++, at += 3) {
        if (hole[i]! > 0) filled[at] = Math.round(softened[i]!)
      }
    }
  }
  return filled
}

/** The part of the picture around the subject that the fill looks at; null where there is no subject. */
function boxAround(mask: Uint8Array, width: number, height: number, margin: number): Box | null {
  const extent = extentOf(mask, { width, height }, coveredMin + 1)
  if (!extent) return null
  const left = Math.max(0, extent.x - margin)
  const top = Math.max(0, extent.y - margin)
  return {
    left,
    top,
    width: Math.min(width, extent.x + extent.width + margin) - left,
    height: Math.min(height, extent.y + extent.height + margin) - top,
  }
}

/** 1 within `reach` of the subject, else 0. */
function holeIn(mask: Uint8Array, width: number, box: Box, reach: number): Float32Array {
  const covered = new Float32Array(box.width * box.height)
  for (let y = 0, i = 0; y < box.height; y++) {
    let at = (y + box.top) * width + box.left
    for (let x = 0; x < box.width; x++, i++, at++) covered[i] = mask[at]! > coveredMin ? 1 : 0
  }
  // One covered pixel in a window lifts its mean above 0 by far more than rounding can.
  const leastMean = 0.5 / (2 * reach + 1) ** 2
  return boxBlur(covered, box.width, box.height, reach).map((mean) => (mean > leastMean ? 1 : 0))
}

/** 0 at the hole's rim and beyond it, rising to 1 inside. */
function depthOf(hole: Float32Array, { width, height }: Box, reach: number): Float32Array {
  const blurred = boxBlur(boxBlur(hole, width, height, reach), width, height, reach)
  return blurred.map((value, i) => (hole[i]! > 0 ? Math.min(1, Math.max(0, 2.5 * value - 1.5)) : 0))
}

/** Evens out the steps of the fill inside the hole, less towards its rim, where it must meet the picture. */
function soften({ data, width, height }: Luma, depth: Float32Array, reach: number): Float32Array {
  const smooth = boxBlur(boxBlur(data, width, height, reach), width, height, reach)
  for (let i = 0; i < smooth.length; i++) smooth[i] = data[i]! + depth[i]! * (smooth[i]! - data[i]!)
  return smooth
}
