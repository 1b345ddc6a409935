// Opens a client's picture and hands out parts of it in the sizes that drawing needs. It owns decoding and resampling;
// which part is wanted is decided elsewhere.

import sharp from 'sharp'
import { pixelsMax } from '../../contract/limits.ts'
import { fillPlane, fillPlaneFromHalf, type Kernel, type Plane, readPlane } from '../kernel/kernel.ts'
import type { Area, Size } from './output-size.ts'
import { even } from './output-size.ts'
import { allocateMatte, allocatePicture, lumaPad, type Matte, type Picture } from './picture-planes.ts'
import { rgbToYuv } from './yuv.ts'

/** Upright sRGB pixels. */
export interface Pixels extends Size {
  rgb: Uint8Array
}

/** Luma is enlarged up to this size: at 4k memory counts for more than the last bit of crispness. */
const lumaPixelsMax = 26_000_000

/** Decodes a picture upright, shrunk so that both sides still reach `enough` where the picture does. */
export async function openPicture(bytes: Uint8Array, enough: Size): Promise<Pixels> {
  const { data, info } = await sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error' })
    .autoOrient()
    .flatten({ background: '#000' })
    .toColourspace('srgb')
    .resize({ ...enough, fit: 'outside', withoutEnlargement: true, kernel: 'lanczos3' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (info.channels === 3) return { rgb: data, width: info.width, height: info.height }
  return { rgb: greyToRgb(data, info.channels), width: info.width, height: info.height }
}

/** The size of a picture as it is seen, with its orientation tag honoured. */
export async function pictureSize(bytes: Uint8Array): Promise<Size> {
  const { autoOrient } = await sharp(bytes, { limitInputPixels: pixelsMax }).metadata()
  return { width: autoOrient.width, height: autoOrient.height }
}

function greyToRgb(data: Uint8Array, channels: number): Uint8Array {
  const rgb = new Uint8Array((data.length / channels) * 3)
  for (let at = 0, from = 0; at < rgb.length; at += 3, from += channels) rgb.fill(data[from]!, at, at + 3)
  return rgb
}

/** Where the eye goes, 0..1 each way: the centre of the part that sharp's attention strategy keeps. */
export async function attentionPoint(pixels: Pixels, frame: Size): Promise<{ x: number; y: number }> {
  const scale = Math.min(1, 512 / Math.max(pixels.width, pixels.height))
  const width = Math.max(1, Math.round(pixels.width * scale))
  const height = Math.max(1, Math.round(pixels.height * scale))
  const cover = Math.min(width / frame.width, height / frame.height)
  const cropWidth = Math.max(1, Math.min(width, Math.round(frame.width * cover)))
  const cropHeight = Math.max(1, Math.min(height, Math.round(frame.height * cover)))
  const small = await raw(pixels).resize(width, height, { fit: 'fill' }).png().toBuffer()
  const { info } = await sharp(small)
    .resize(cropWidth, cropHeight, { fit: 'cover', position: 'attention' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return {
    x: (cropWidth / 2 - (info.cropOffsetLeft ?? 0)) / width,
    y: (cropHeight / 2 - (info.cropOffsetTop ?? 0)) / height,
  }
}

/** Packed RGB of one area at a given size. */
export async function cutPixels(pixels: Pixels, area: Area, size: Size): Promise<Pixels> {
  const rgb = await raw(pixels)
    .extract({ left: area.x, top: area.y, width: area.width, height: area.height })
    .resize(size.width, size.height, { fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer()
  return { rgb, width: size.width, height: size.height }
}

/** One area of a mask at a given size. */
export async function cutMask(mask: Uint8Array, own: Size, area: Area, size: Size): Promise<Uint8Array> {
  return sharp(mask, { raw: { width: own.width, height: own.height, channels: 1 }, limitInputPixels: false })
    .extract({ left: area.x, top: area.y, width: area.width, height: area.height })
    .resize(size.width, size.height, { fit: 'fill', kernel: 'cubic' })
    .toColourspace('b-w')
    .raw()
    .toBuffer()
}

/**
 * Planes ready for the kernel. Luma is kept at twice the detail size, because the kernel samples bilinearly and a cubic
 * enlargement beforehand keeps edges crisp; chroma stays at the detail size, which is half of that. A picture with too
 * little detail for the frame is enlarged further, so that the frame never shows bilinear facets.
 */
export async function toPicture(kernel: Kernel, detail: Pixels, frame: Size): Promise<Picture> {
  const factor = Math.min(2, Math.sqrt(lumaPixelsMax / (detail.width * detail.height)))
  const chroma = {
    width: Math.max(Math.round((detail.width * factor) / 2), even(frame.width / 2)),
    height: Math.max(Math.round((detail.height * factor) / 2), even(frame.height / 2)),
  }
  const { y, u, v } = rgbToYuv(detail.rgb)
  const picture = allocatePicture(kernel, chroma.width * 2, chroma.height * 2, lumaPad)
  await fillScaled(kernel, picture.y, y, detail)
  await fillScaled(kernel, picture.u, u, detail)
  await fillScaled(kernel, picture.v, v, detail)
  return picture
}

/** Fills a plane with pixels of any size. Twice the size, the usual case, costs the kernel a tenth of what sharp needs. */
export async function fillScaled(kernel: Kernel, plane: Plane, pixels: Uint8Array, size: Size): Promise<void> {
  if (plane.width === 2 * size.width && plane.height === 2 * size.height) fillPlaneFromHalf(kernel, plane, pixels)
  else fillPlane(kernel, plane, await scalePlane(pixels, size, plane))
}

/** A matte in the shape of a picture. Its values beyond the edges repeat, as the picture's do. */
export async function toMatte(kernel: Kernel, mask: Uint8Array, size: Size, picture: Size): Promise<Matte> {
  const matte = allocateMatte(kernel, picture.width, picture.height, lumaPad)
  await fillScaled(kernel, matte.luma, mask, size)
  await fillScaled(kernel, matte.chroma, mask, size)
  return matte
}

/** The pixels of a plane at another size, tightly packed. */
export async function readScaled(kernel: Kernel, plane: Plane, size: Size): Promise<Uint8Array> {
  const mark = kernel.mark()
  const scaled = kernel.plane(size.width, size.height, 0)
  await fillScaled(kernel, scaled, readPlane(kernel, plane), plane)
  const pixels = readPlane(kernel, scaled)
  kernel.release(mark)
  return pixels
}

async function scalePlane(plane: Uint8Array, from: Size, to: Size): Promise<Uint8Array> {
  if (from.width === to.width && from.height === to.height) return plane
  return sharp(plane, { raw: { width: from.width, height: from.height, channels: 1 }, limitInputPixels: false })
    .resize(to.width, to.height, { fit: 'fill', kernel: 'cubic' })
    .toColourspace('b-w')
    .raw()
    .toBuffer()
}

function raw(pixels: Pixels) {
  const { rgb, width, height } = pixels
  return sharp(rgb, { raw: { width, height, channels: 3 }, limitInputPixels: false })
}
