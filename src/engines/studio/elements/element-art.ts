// Prepares what elements look like: a cut-out where the subject stands out cleanly, else a card with soft edges.
// It owns colours and mattes; where and when an element shows is decided elsewhere.

import sharp from 'sharp'
import { extentOf } from '../../../video/picture/extent.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import type { Pixels } from '../../../video/picture/source-picture.ts'

/** A picture with its own outline. */
export interface Art extends Pixels {
  /** 0..255, as large as the pixels. */
  mask: Uint8Array
}

/** Corners of a card, and the softness of its edge, as shares of its shorter side. */
const cornerShare = 0.07
const edgeShare = 0.012

/** Cuts the subject out along its mask, with a little room around it. */
export function cutOut(pixels: Pixels, mask: Uint8Array): Art | null {
  const box = extentOf(mask, pixels, 24)
  if (!box) return null
  const x = Math.max(0, box.x - 2)
  const y = Math.max(0, box.y - 2)
  const width = Math.min(pixels.width, box.x + box.width + 2) - x
  const height = Math.min(pixels.height, box.y + box.height + 2) - y
  const art: Art = { width, height, rgb: new Uint8Array(width * height * 3), mask: new Uint8Array(width * height) }
  for (let row = 0; row < height; row++) {
    const from = (y + row) * pixels.width + x
    art.rgb.set(pixels.rgb.subarray(from * 3, (from + width) * 3), row * width * 3)
    art.mask.set(mask.subarray(from, from + width), row * width)
  }
  return art
}

/** The matte of a card: opaque, with rounded corners and a soft edge. */
export function cardMask({ width, height }: Size): Uint8Array {
  const short = Math.min(width, height)
  const corner = Math.max(2, short * cornerShare)
  const edge = Math.max(1.5, short * edgeShare)
  const mask = new Uint8Array(width * height)
  for (let row = 0, at = 0; row < height; row++) {
    const y = Math.abs(row + 0.5 - height / 2) - (height / 2 - corner)
    for (let column = 0; column < width; column++, at++) {
      const x = Math.abs(column + 0.5 - width / 2) - (width / 2 - corner)
      const outside = Math.hypot(Math.max(x, 0), Math.max(y, 0)) + Math.min(Math.max(x, y), 0) - corner
      mask[at] = Math.round(255 * Math.min(Math.max(-outside / edge, 0), 1))
    }
  }
  return mask
}

/** Art at another size. */
export async function resizeArt(art: Art, size: Size): Promise<Art> {
  const { width, height } = art
  const rgb = await sharp(art.rgb, { raw: { width, height, channels: 3 } })
    .resize(size.width, size.height, { fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer()
  const mask = await sharp(art.mask, { raw: { width, height, channels: 1 } })
    .resize(size.width, size.height, { fit: 'fill', kernel: 'cubic' })
    .toColourspace('b-w')
    .raw()
    .toBuffer()
  return { rgb, mask, width: size.width, height: size.height }
}

/** The art with room around it, so that soft edges and a shadow have where to fall; the room is see-through. */
export function withMargin(art: Art, margin: number): Art {
  const width = art.width + 2 * margin
  const height = art.height + 2 * margin
  const wide: Art = { width, height, rgb: new Uint8Array(width * height * 3), mask: new Uint8Array(width * height) }
  for (let row = 0; row < height; row++) {
    // Colours repeat outwards, so that no dark fringe is sampled at the rim.
    const from = Math.min(Math.max(row - margin, 0), art.height - 1) * art.width
    for (let column = 0; column < width; column++) {
      const at = (from + Math.min(Math.max(column - margin, 0), art.width - 1)) * 3
      const to = (row * width + column) * 3
      wide.rgb[to] = art.rgb[at]!
      wide.rgb[to + 1] = art.rgb[at + 1]!
      wide.rgb[to + 2] = art.rgb[at + 2]!
    }
    if (row < margin || row >= margin + art.height) continue
    const own = (row - margin) * art.width
    wide.mask.set(art.mask.subarray(own, own + art.width), row * width + margin)
  }
  return wide
}

/** A blurred, fainter copy of a matte: the shadow that lifts an element off the picture. */
export async function shadowOf(mask: Uint8Array, size: Size, radius: number): Promise<Uint8Array> {
  return sharp(mask, { raw: { ...size, channels: 1 } })
    .blur(Math.max(0.5, radius))
    .linear(0.5, 0)
    .toColourspace('b-w')
    .raw()
    .toBuffer()
}
