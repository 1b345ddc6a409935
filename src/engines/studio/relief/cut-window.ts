// Cuts what a shot may show out of a picture, and out of maps of it.

import { type Luma, sampleAt } from '../../../video/picture/luma.ts'
import type { Area, Size } from '../../../video/picture/output-size.ts'
import type { Bounds } from '../camera/view.ts'

/** The map of a shot's depth has this many pixels across: parallax changes slowly. */
const mapWidth = 240

/** What is cut, in whole pixels, so that the first frame lies exactly where it should. */
export interface Cut {
  inside: Area
  /** The size of the result. */
  size: Size
  /** What the result holds, in halves of the sides of the area that the first frame shows. */
  window: Bounds
}

/** Plans to cut a window around an area out of a picture, at `scale` pixels per pixel of the picture. */
export function planCut(wanted: Bounds, area: Area, picture: Size, scale: { x: number; y: number }): Cut {
  const across = (half: number) => area.x + ((half + 1) / 2) * area.width
  const down = (half: number) => area.y + ((half + 1) / 2) * area.height
  const x = Math.max(0, Math.floor(across(wanted.left) + 1e-6))
  const y = Math.max(0, Math.floor(down(wanted.top) + 1e-6))
  const width = Math.min(picture.width, Math.ceil(across(wanted.right) - 1e-6)) - x
  const height = Math.min(picture.height, Math.ceil(down(wanted.bottom) - 1e-6)) - y
  const window = {
    left: ((x - area.x) / area.width) * 2 - 1,
    top: ((y - area.y) / area.height) * 2 - 1,
    right: ((x + width - area.x) / area.width) * 2 - 1,
    bottom: ((y + height - area.y) / area.height) * 2 - 1,
  }
  const size = { width: Math.max(8, Math.round(width * scale.x)), height: Math.max(8, Math.round(height * scale.y)) }
  return { inside: { x, y, width, height }, size, window }
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
