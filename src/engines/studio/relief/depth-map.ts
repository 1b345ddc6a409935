// Joins what is known of a picture's depth into one map: the network's answer, the picture's subject, the ground and the
// sky, refined to the picture's edges. It does not move anything; relief.ts does.

import { boxBlur, correlation, type Luma, resizeLuma } from '../../../video/picture/luma.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import { growMask } from '../subject/decide-mask.ts'

interface DepthParts {
  /** Nearness of the picture and of its mirror image, at the network's own size; larger is nearer. */
  plain: Luma
  mirrored: Luma
  /** The size of the map, and of the parts below. */
  size: Size
  /** 0 to 1. */
  luma: Float32Array
  /** The subject, 0 to 255. */
  subject: Uint8Array | null
  /** How surely a pixel is sky, 0 to 1. */
  sky: Luma | null
}

/** Correlation of the two depth maps below which the network has guessed. */
const agreementMin = 0.55
const rampShare = 0.35
const subjectNearness = 0.85

/** Nearness from 0 (far) to 1 (near); null where it is not credible. */
export function joinDepth({ plain, mirrored, size, luma, subject, sky }: DepthParts): Luma | null {
  if (correlation(plain.data, mirrored.data) < agreementMin) return null
  const mean = plain.data.map((value, i) => (value + mirrored.data[i]!) / 2)
  const { width, height } = size
  const { data } = resizeLuma({ ...plain, data: between(mean, 0.02, 0.98) }, size)
  for (let row = 0, i = 0; row < height; row++) {
    const ramp = row / Math.max(1, height - 1)
    for (let column = 0; column < width; column++, i++) {
      data[i] = (1 - rampShare) * data[i]! + rampShare * ramp
      if (sky) data[i] = data[i]! * (1 - sky.data[i]!)
    }
  }
  if (subject) lift(data, subject, width, height)
  const guided = guidedFilter(data, luma, width, height, Math.round(height * 0.07), 0.004)
  return { data: gaussian(guided, width, height, height * 0.008).map(clamp01), width, height }
}

/** Brings the subject forward as one: closed, grown and feathered, so that a ragged mask does no harm. */
function lift(data: Float32Array, subject: Uint8Array, width: number, height: number): void {
  const size = { width, height }
  const reach = Math.max(2, Math.round(height * 0.02))
  const inverted = (mask: Uint8Array) => mask.map((level) => 255 - level)
  const closed = inverted(growMask(inverted(growMask(subject, size, reach)), size, reach))
  const grown = growMask(closed, size, Math.round(reach * 0.6))
  const soft = gaussian(
    Float32Array.from(grown, (level) => level / 255),
    width,
    height,
    height * 0.011,
  )
  for (let i = 0; i < data.length; i++) data[i] = Math.max(data[i]!, soft[i]! * Math.max(subjectNearness, data[i]!))
}

/** Values stretched so that the given shares of them lie at 0 and 1. */
function between(values: Float32Array, low: number, high: number): Float32Array {
  const sorted = values.toSorted()
  const from = sorted[Math.floor(low * (sorted.length - 1))]!
  const to = sorted[Math.floor(high * (sorted.length - 1))]!
  return values.map((value) => clamp01((value - from) / Math.max(to - from, 1e-9)))
}

/** Smooths a map except across the edges of a guide (He, Sun and Tang). */
export function guidedFilter(
  map: Float32Array,
  guide: Float32Array,
  width: number,
  height: number,
  radius: number,
  epsilon: number,
): Float32Array {
  const blur = (values: Float32Array) => boxBlur(values, width, height, radius)
  const meanGuide = blur(guide)
  const meanMap = blur(map)
  const meanBoth = blur(product(map, guide))
  const meanSquare = blur(product(guide, guide))
  const slope = new Float32Array(map.length)
  const offset = new Float32Array(map.length)
  for (let i = 0; i < map.length; i++) {
    const variance = meanSquare[i]! - meanGuide[i]! ** 2
    slope[i] = (meanBoth[i]! - meanGuide[i]! * meanMap[i]!) / (variance + epsilon)
    offset[i] = meanMap[i]! - slope[i]! * meanGuide[i]!
  }
  const refined = product(blur(slope), guide)
  const meanOffset = blur(offset)
  for (let i = 0; i < refined.length; i++) refined[i]! += meanOffset[i]!
  return refined
}

function product(one: Float32Array, other: Float32Array): Float32Array {
  const both = new Float32Array(one.length)
  for (let i = 0; i < both.length; i++) both[i] = one[i]! * other[i]!
  return both
}

/** Close to a Gaussian blur: three means in a row. */
export function gaussian(values: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const radius = Math.max(1, Math.round(sigma * 0.95))
  let blurred = values
  for (let pass = 0; pass < 3; pass++) blurred = boxBlur(blurred, width, height, radius)
  return blurred
}

function clamp01(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value
}
