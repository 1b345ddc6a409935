// Cuts what a shot may show out of a picture. Where the shot reaches beyond the picture, the picture is continued: mirrored
// at its edge, and a little softer farther out.

import sharp from 'sharp'
import { type Luma, sampleAt } from '../../../video/picture/luma.ts'
import type { Area, Size } from '../../../video/picture/output-size.ts'
import { cutPixels, type Pixels, softened } from '../../../video/picture/source-picture.ts'
import type { Window } from '../camera/view.ts'

/** The map of a shot's depth has this many pixels across: parallax changes slowly. */
const mapWidth = 240

/** What is cut and how it is continued, in whole pixels, so that the first frame lies exactly where it should. */
export interface Cut {
  inside: Area
  /** The size of the inside in the result. */
  inner: Size
  margin: { left: number; top: number; right: number; bottom: number }
  /** What the result holds, in halves of the sides of the area that the first frame shows. */
  window: Window
}

/** Plans to cut a window around an area out of a picture, at `scale` pixels per pixel of the picture. */
export function planCut(wanted: Window, area: Area, picture: Size, scale: { x: number; y: number }): Cut {
  const across = (half: number) => area.x + ((half + 1) / 2) * area.width
  const down = (half: number) => area.y + ((half + 1) / 2) * area.height
  const x = Math.max(0, Math.floor(across(wanted.left) + 1e-6))
  const y = Math.max(0, Math.floor(down(wanted.top) + 1e-6))
  const width = Math.min(picture.width, Math.ceil(across(wanted.right) - 1e-6)) - x
  const height = Math.min(picture.height, Math.ceil(down(wanted.bottom) - 1e-6)) - y
  const inner = { width: Math.max(8, Math.round(width * scale.x)), height: Math.max(8, Math.round(height * scale.y)) }
  const scaleX = inner.width / width
  const scaleY = inner.height / height
  const margin = {
    left: Math.max(0, Math.ceil((x - across(wanted.left)) * scaleX - 1e-6)),
    top: Math.max(0, Math.ceil((y - down(wanted.top)) * scaleY - 1e-6)),
    right: Math.max(0, Math.ceil((across(wanted.right) - x - width) * scaleX - 1e-6)),
    bottom: Math.max(0, Math.ceil((down(wanted.bottom) - y - height) * scaleY - 1e-6)),
  }
  const window = {
    left: ((x - margin.left / scaleX - area.x) / area.width) * 2 - 1,
    top: ((y - margin.top / scaleY - area.y) / area.height) * 2 - 1,
    right: ((x + width + margin.right / scaleX - area.x) / area.width) * 2 - 1,
    bottom: ((y + height + margin.bottom / scaleY - area.y) / area.height) * 2 - 1,
  }
  return { inside: { x, y, width, height }, inner, margin, window }
}

/** Cuts as planned. */
export async function cutWindow(pixels: Pixels, { inside, inner, margin }: Cut): Promise<Pixels> {
  const cut = await cutPixels(pixels, inside, inner)
  const deepest = Math.max(margin.left, margin.right, margin.top, margin.bottom)
  if (deepest === 0) return cut
  const size = {
    width: inner.width + margin.left + margin.right,
    height: inner.height + margin.top + margin.bottom,
  }
  const rgb = await sharp(cut.rgb, { raw: { ...inner, channels: 3 }, limitInputPixels: false })
    .extend({ ...margin, extendWith: 'mirror' })
    .raw()
    .toBuffer()
  const soft = await softened(rgb, size, deepest * 0.08)
  for (let row = 0, at = 0; row < size.height; row++) {
    const outY = Math.max(margin.top - row, row - (size.height - margin.bottom) + 1, 0)
    for (let column = 0; column < size.width; column++, at += 3) {
      const outX = Math.max(margin.left - column, column - (size.width - margin.right) + 1, 0)
      const share = Math.max(outX, outY) / deepest
      if (share === 0) continue
      for (let c = at; c < at + 3; c++) rgb[c]! += (soft[c]! - rgb[c]!) * share
    }
  }
  return { rgb, ...size }
}

/** A part of a map that covers the whole picture; beyond the picture its edge goes on. */
export function cutMap(map: Luma, picture: Size, part: Area, width = mapWidth): Luma {
  const height = Math.max(8, Math.round((width * part.height) / part.width))
  const data = new Float32Array(width * height)
  const toMapX = map.width / picture.width
  const toMapY = map.height / picture.height
  for (let row = 0, i = 0; row < height; row++) {
    const y = (part.y + ((row + 0.5) / height) * part.height) * toMapY - 0.5
    for (let column = 0; column < width; column++, i++) {
      data[i] = sampleAt(map, (part.x + ((column + 0.5) / width) * part.width) * toMapX - 0.5, y)
    }
  }
  return { data, width, height }
}
