// What a picture is inside the renderer: 4:2:0 planes in the kernel's memory, and mattes of the same shape.

import type { Kernel, Plane } from '../kernel/kernel.ts'

/** Planes of one picture. The chroma planes are half as wide and high as the luma plane. */
export interface Picture {
  width: number
  height: number
  y: Plane
  u: Plane
  v: Plane
}

/** How much of a picture shows, 0 to 255, once for luma and once for chroma. */
export interface Matte {
  luma: Plane
  chroma: Plane
}

/** Replicated pixels around the luma of a source: the last grid node may lie most of a cell outside the frame. */
export const lumaPad = 64

export function allocatePicture(kernel: Kernel, width: number, height: number, pad = 0): Picture {
  return {
    width,
    height,
    y: kernel.plane(width, height, pad),
    u: kernel.plane(width / 2, height / 2, pad / 2),
    v: kernel.plane(width / 2, height / 2, pad / 2),
  }
}

export function allocateMatte(kernel: Kernel, width: number, height: number, pad = 0): Matte {
  return { luma: kernel.plane(width, height, pad), chroma: kernel.plane(width / 2, height / 2, pad / 2) }
}
