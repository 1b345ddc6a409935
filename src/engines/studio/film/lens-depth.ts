// Depth as a lens needs it. The relief's own is grown beyond the subject and soft, so that nothing tears: blurred by it, a rim
// of background around the subject would stay sharp. Pure.

import { type Luma, lumaOf } from '../../../video/picture/luma.ts'
import type { Area } from '../../../video/picture/output-size.ts'
import { type EffectWish, strengthOf } from '../effects/effect.ts'
import type { PictureAnalysis } from '../picture-analysis.ts'
import type { FocusGoal, FocusShift } from '../prompt/focus.ts'
import { cutMap } from '../relief/cut-window.ts'
import { gaussian, guidedFilter } from '../relief/depth-map.ts'
import type { Relief } from '../relief/relief.ts'
import type { RequestPicture } from '../request-picture.ts'
import { growMask } from '../subject/decide-mask.ts'
import type { Lens } from './focus.ts'

/** The nearness of the subject: it is in focus as a whole. */
export const subjectFocus = 0.88

/** Nearness with the subject's own outline: around it lies what is known of the background farther out. */
export function lensDepth({ subject, rgb, width, height }: PictureAnalysis, depth: Luma): Luma {
  if (!subject) return depth
  const luma = lumaOf(rgb).map((level) => level / 255)
  const mask = Float32Array.from(subject.mask, (level) => level / 255)
  // Follows hair and edges that the mask only nearly finds.
  const outline = guidedFilter(mask, luma, width, height, Math.max(2, Math.round(height * outlineReach)), 0.0006)
  const grown = growMask(subject.mask, { width, height }, Math.round(height * liftedReach))
  const known = Float32Array.from(grown, (level) => 1 - level / 255)
  const blur = (values: Float32Array) => gaussian(values, width, height, height * 0.07)
  const [sum, weight] = [blur(depth.data.map((value, i) => value * known[i]!)), blur(known)]
  const data = depth.data.map((value, i) => {
    const around = weight[i]! > 0.004 ? sum[i]! / weight[i]! : value
    const behind = known[i]! * value + (1 - known[i]!) * Math.min(value, around)
    const own = Math.min(1, Math.max(0, (outline[i]! - 0.34) / 0.42))
    return behind + own * (Math.max(subjectFocus, value) - behind)
  })
  return { data, width, height }
}

/** How far from the mask its outline is looked for, and how far the relief lifts what is around the subject; of the height. */
const outlineReach = 0.012
const liftedReach = 0.075

/**
 * Null where the picture's depth is not known well enough to blur by it, or shows no face that the focus should go to.
 * `shift` is where the prompt says that the focus goes from and to.
 */
export function lensFor(
  wish: EffectWish,
  shift: FocusShift | null,
  { analysis, pixels }: RequestPicture,
  part: Area,
  relief: Relief | null,
  guidance: number,
): Lens | null {
  if (!analysis?.depth || !relief) return null
  const sharp = lensDepth(analysis, analysis.depth)
  const depth = cutMap(sharp, pixels, part, lensMapWidth)
  const grown = cutMap(analysis.depth, pixels, part, lensMapWidth)
  // Without a subject the near ground is sharp.
  const near = analysis.subject ? subjectFocus : 0.8
  const nearnessOf = (goal: FocusGoal | null) => {
    if (goal === 'face') return faceNearness(analysis, sharp)
    return goal === 'near' ? nearestFocus : goal === 'far' ? farthestFocus : null
  }
  const [first, last] = [nearnessOf(shift?.from ?? null), nearnessOf(shift?.to ?? null)]
  const isRack = wish.name === 'rackFocus'
  // Where only one end is named, the other is what lies farthest from it.
  const to = last ?? (first !== null && first < middleFocus ? near : farthestFocus)
  const from = first ?? (last !== null && last < middleFocus ? near : last === null ? near : otherThan(last))
  const reach = { start: wish.from ?? 0, strength: strengthOf(wish, guidance) }
  return { depth, grown, from: isRack ? from : near, to: isRack ? to : near, ...reach }
}

const lensMapWidth = 640
const nearestFocus = 0.95
const farthestFocus = 0.12
const middleFocus = 0.5

/** A distance to come from so that a shift to what is near is seen. */
function otherThan(to: number): number {
  return to > middleFocus ? farthestFocus : nearestFocus
}

/** How near the largest face is; null where there is none. */
function faceNearness({ heads }: PictureAnalysis, { data, width, height }: Luma): number | null {
  const face = heads.toSorted((a, b) => b.height - a.height)[0]
  if (!face) return null
  const [x, y] = [Math.floor((face.x + face.width / 2) * width), Math.floor((face.y + face.height * 0.55) * height)]
  return data[Math.min(height - 1, y) * width + Math.min(width - 1, x)]!
}
