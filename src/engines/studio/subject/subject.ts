// Finds the picture's subject once: its mask and where it lies. It does not move or cut anything.

import type { Kernel } from '../../../video/kernel/kernel.ts'
import { extentOf } from '../../../video/picture/extent.ts'
import type { Area, Size } from '../../../video/picture/output-size.ts'
import { type Pixels, scaleMask } from '../../../video/picture/source-picture.ts'
import { decideMask } from './decide-mask.ts'
import { findSubject, type MaskDetail } from './salient-mask.ts'

export interface Subject extends Size {
  /** 0..255, a small version of the picture. */
  mask: Uint8Array
  /** The subject's bounds as shares of the picture. */
  bounds: Area
  /** The mask at another size. */
  maskAt(size: Size): Uint8Array
}

/** The mask is kept at this size. */
export const analysisLongSide = 640

/** The picture's subject, or null where none stands out cleanly. */
export async function subjectOf(kernel: Kernel, pixels: Pixels, detail: MaskDetail): Promise<Subject | null> {
  const size = fitInside(pixels, analysisLongSide)
  const found = await findSubject(kernel, pixels, size, detail)
  if (!found) return null
  const mask = decideMask(found, size)
  const extent = extentOf(mask, size, 128)
  if (!extent) return null
  const bounds = {
    x: extent.x / size.width,
    y: extent.y / size.height,
    width: extent.width / size.width,
    height: extent.height / size.height,
  }
  return { mask, bounds, maskAt: (wanted) => scaleMask(kernel, mask, size, wanted), ...size }
}

export function fitInside({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height))
  return { width: Math.max(16, Math.round(width * scale)), height: Math.max(16, Math.round(height * scale)) }
}
