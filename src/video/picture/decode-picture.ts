// Decodes a client's picture: upright, three channels, sRGB. What is done with its pixels is decided elsewhere.

import sharp from 'sharp'
import { pixelsMax } from '../../contract/limits.ts'
import type { Size } from './output-size.ts'
import type { Pixels } from './source-picture.ts'

/** Decodes a picture upright, shrunk so that both sides still reach `enough` where the picture does. */
export async function openPicture(bytes: Uint8Array, enough: Size): Promise<Pixels> {
  return decode(bytes, { ...enough, fit: 'outside' })
}

/** Decodes a picture upright, shrunk so that its longer side is at most `longSide`. */
export async function openSmall(bytes: Uint8Array, longSide: number): Promise<Pixels> {
  return decode(bytes, { width: longSide, height: longSide, fit: 'inside' })
}

async function decode(bytes: Uint8Array, size: Size & { fit: 'inside' | 'outside' }): Promise<Pixels> {
  const { data, info } = await sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error' })
    .autoOrient()
    .flatten({ background: '#000' })
    .toColourspace('srgb')
    .resize({ ...size, withoutEnlargement: true, kernel: 'lanczos3' })
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

/** Where the eye goes, 0..1 each way: the point around which sharp's attention strategy would crop. */
export async function attentionPoint({ rgb, width, height }: Pixels): Promise<{ x: number; y: number }> {
  if (width < 2) return { x: 0.5, y: 0.5 }
  const { info } = await sharp(rgb, { raw: { width, height, channels: 3 } })
    // The strategy looks for the point only where there is something to crop.
    .resize(width - 1, height, { fit: 'cover', position: 'attention' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { x: (info.attentionX ?? width / 2) / width, y: (info.attentionY ?? height / 2) / height }
}
