// Hands out parts of a decoded picture in the sizes that drawing needs. Which part is wanted is decided elsewhere.

import { fillPlane, fillPlaneFromHalf, type Kernel, type Plane, readPlane, repeatEdges } from '../kernel/kernel.ts'
import type { Area, Size } from './output-size.ts'
import { even } from './output-size.ts'
import { allocateMatte, allocatePicture, lumaPad, type Matte, type Picture } from './picture-planes.ts'
import { resample, resampleInto } from './resample.ts'
import { rgbToYuv } from './yuv.ts'

/** Upright sRGB pixels. */
export interface Pixels extends Size {
  rgb: Uint8Array
}

/** Luma is enlarged up to this size: at 4k memory counts for more than the last bit of crispness. */
const lumaPixelsMax = 26_000_000

/** Packed RGB of one area at a given size. */
export function cutPixels(kernel: Kernel, { rgb, ...own }: Pixels, area: Area, { width, height }: Size): Pixels {
  return { rgb: resample(kernel, { bytes: rgb, ...own, channels: 3 }, area, { width, height }), width, height }
}

/** A whole picture at a given size. */
export function scalePixels(kernel: Kernel, pixels: Pixels, size: Size): Pixels {
  return cutPixels(kernel, pixels, wholeOf(pixels), size)
}

/** A whole mask at a given size. */
export function scaleMask(kernel: Kernel, mask: Uint8Array, { width, height }: Size, size: Size): Uint8Array {
  return resample(kernel, { bytes: mask, width, height, channels: 1 }, wholeOf({ width, height }), size)
}

const wholeOf = ({ width, height }: Size): Area => ({ x: 0, y: 0, width, height })

/**
 * Planes ready for the kernel. Luma is kept at twice the detail size, because the kernel samples bilinearly and a cubic
 * enlargement beforehand keeps edges crisp; chroma stays at the detail size, which is half of that. A picture with too
 * little detail for the frame is enlarged further, so that the frame never shows bilinear facets.
 */
export function toPicture(kernel: Kernel, detail: Pixels, frame: Size): Picture {
  const factor = Math.min(2, Math.sqrt(lumaPixelsMax / (detail.width * detail.height)))
  const chroma = {
    width: Math.max(Math.round((detail.width * factor) / 2), even(frame.width / 2)),
    height: Math.max(Math.round((detail.height * factor) / 2), even(frame.height / 2)),
  }
  const { y, u, v } = rgbToYuv(detail.rgb)
  const picture = allocatePicture(kernel, chroma.width * 2, chroma.height * 2, lumaPad)
  fillScaled(kernel, picture.y, y, detail)
  fillScaled(kernel, picture.u, u, detail)
  fillScaled(kernel, picture.v, v, detail)
  return picture
}

/** Fills a plane with pixels of any size. */
export function fillScaled(kernel: Kernel, plane: Plane, pixels: Uint8Array, { width, height }: Size): void {
  if (plane.width === width && plane.height === height) fillPlane(kernel, plane, pixels)
  // The usual case, which costs a tenth of any other.
  else if (plane.width === 2 * width && plane.height === 2 * height) fillPlaneFromHalf(kernel, plane, pixels)
  else {
    resampleInto(kernel, { bytes: pixels, width, height, channels: 1 }, plane)
    repeatEdges(kernel, plane)
  }
}

/** A matte in the shape of a picture. Its values beyond the edges repeat, as the picture's do. */
export function toMatte(kernel: Kernel, mask: Uint8Array, size: Size, picture: Size): Matte {
  const matte = allocateMatte(kernel, picture.width, picture.height, lumaPad)
  fillScaled(kernel, matte.luma, mask, size)
  fillScaled(kernel, matte.chroma, mask, size)
  return matte
}

/** The pixels of a plane at another size, tightly packed. */
export function readScaled(kernel: Kernel, plane: Plane, size: Size): Uint8Array {
  return scaleMask(kernel, readPlane(kernel, plane), plane, size)
}
