// What the studio sees in a picture: its subject, heads, sky and depth, found once and used by framing, relief, effects
// and elements alike. All maps have one small size and cover the whole picture.

import type { Kernel } from '../../video/kernel/kernel.ts'
import { type Luma, lumaOf } from '../../video/picture/luma.ts'
import type { Area, Size } from '../../video/picture/output-size.ts'
import type { Pixels } from '../../video/picture/source-picture.ts'
import { joinDepth } from './relief/depth-map.ts'
import { readNearness } from './relief/depth-network.ts'
import { findSky } from './relief/sky.ts'
import { findHeads, type Head } from './subject/faces.ts'
import { marksOf } from './subject/flat-graphic.ts'
import { type Subject, subjectOf } from './subject/subject.ts'

export interface PictureAnalysis extends Size {
  /** The picture at the size of the maps. */
  rgb: Uint8Array
  subject: Subject | null
  /** Shares of the picture's sides. */
  heads: Head[]
  /** Nearness, 0 (far) to 1 (near); null where it is not credible. */
  depth: Luma | null
  /** How surely a pixel is sky, 0 to 1. */
  sky: Luma | null
  /**
   * Of a flat graphic, such as a screenshot or a logo: the bounds of its marks, in shares of the picture's sides. Nothing
   * else is looked for in it. Null in a photograph.
   */
  marks: Area | null
}

/** A head as tall as this makes a picture a portrait, and what is behind it more often a backdrop than a sky. */
const portraitHead = 0.25

/** `small` is the picture at the size of the maps, decoded for this: what is found depends on no video's size. */
export async function analyzePicture(
  kernel: Kernel,
  small: Pixels,
  depthModel: string | null,
): Promise<PictureAnalysis> {
  const { rgb, ...size } = small
  const marks = marksOf(rgb, size)
  if (marks) return { ...size, rgb, subject: null, heads: [], depth: null, sky: null, marks }
  const subject = await subjectOf(kernel, small, 'coarse')
  const heads = await findHeads(kernel, small)
  const { plain, mirrored } = await readNearness(kernel, small, depthModel)
  const sky = heads.some(({ height }) => height > portraitHead) ? null : findSky(rgb, size.width, size.height)
  const luma = lumaOf(rgb).map((level) => level / 255)
  const depth = joinDepth({ plain, mirrored, size, luma, sky, subject: subject?.mask ?? null })
  return { ...size, rgb, subject, heads, depth, sky, marks }
}
