// Depth as a lens needs it. The relief's own is grown beyond the subject and soft, so that nothing tears: blurred by it, a rim
// of background around the subject would stay sharp. Pure.

import { type Luma, lumaOf } from '../../../video/picture/luma.ts'
import type { Area } from '../../../video/picture/output-size.ts'
import { type EffectWish, strengthOf } from '../effects/effect.ts'
import { cutMap } from '../relief/cut-window.ts'
import { gaussian, guidedFilter } from '../relief/depth-map.ts'
import type { Relief } from '../relief/relief.ts'
import type { Sight } from '../sight.ts'
import type { Still } from '../still.ts'
import { growMask } from '../subject/decide-mask.ts'
import type { Lens } from './focus.ts'

/** The nearness of the subject: it is in focus as a whole. */
export const subjectFocus = 0.88

/** Nearness with the subject's own outline: around it lies what is known of the background farther out. */
export function lensDepth({ subject, rgb, width, height }: Sight, depth: Luma): Luma {
  if (!subject) return depth
  const luma = lumaOf(rgb).map((level) => level / 255)
  const mask = Float32Array.from(subject.mask, (level) => level / 255)
  // Follows hair and edges that the mask only nearly finds.
  const outline = guidedFilter(mask, luma, width, height, Math.max(2, Math.round(height * outlineReach)), 0.0006)
  const grown = growMask(subject.mask, { width, height }, Math.round(height * liftedReach))
  const known = Float32Array.from(grown, (level) => 1 - level / 255)
  const blur = (values: Float32Array) => gaussian(values, width, height, height * 0.05)
  const [sum, weight] = [blur(depth.data.map((value, i) => value * known[i]!)), blur(known)]
  const data = depth.data.map((value, i) => {
    const around = weight[i]! > 0.004 ? sum[i]! / weight[i]! : value
    const behind = known[i]! * value + (1 - known[i]!) * Math.min(value, around)
    const own = Math.min(1, Math.max(0, (outline[i]! - 0.2) / 0.5))
    return behind + own * (Math.max(subjectFocus, value) - behind)
  })
  return { data, width, height }
}

/** How far from the mask its outline is looked for, and how far the relief lifts what is around the subject; of the height. */
const outlineReach = 0.012
const liftedReach = 0.045

/** Null where the picture's depth is not known well enough to blur by it. */
export function lensFor(
  wish: EffectWish,
  { sight, pixels }: Still,
  part: Area,
  relief: Relief | null,
  guidance: number,
): Lens | null {
  if (!sight?.depth || !relief) return null
  const depth = cutMap(lensDepth(sight, sight.depth), pixels, part, lensMapWidth)
  const grown = cutMap(sight.depth, pixels, part, lensMapWidth)
  // Without a subject the near ground is sharp.
  const near = sight.subject ? subjectFocus : 0.8
  const to = wish.name === 'rackFocus' ? 0.12 : near
  return { depth, grown, from: near, to, start: wish.from ?? 0, strength: strengthOf(wish, guidance) }
}

const lensMapWidth = 640
