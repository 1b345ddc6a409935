// Judges the outline along which an element is cut out, and finds one where a picture's background is of one colour. Pure.

import { extentOf } from '../../../video/picture/extent.ts'
import { boxBlur } from '../../../video/picture/luma.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import type { Pixels } from '../../../video/picture/source-picture.ts'

/** Shares of the picture and of the outline's own bounds beyond which something else than a thing was found. */
const areaMin = 0.01
const sideMin = 0.08
const boxFilledMax = 0.96
/** Holes and fringes: what changes when the outline is smoothed over this share of its shorter side, by the thing's area. */
const smoothShare = 0.05
const raggedMax = 0.055

/** Whether a mask (0..255) is the outline of one whole thing: not a speck, nor the whole picture, nor ragged. */
export function isCleanMatte(mask: Uint8Array, size: Size): boolean {
  const box = extentOf(mask, size, 128)
  if (!box || box.width < sideMin * size.width || box.height < sideMin * size.height) return false
  const solid = Float32Array.from(mask, (level) => (level >= 128 ? 1 : 0))
  const area = solid.reduce((sum, value) => sum + value, 0)
  if (area < areaMin * mask.length) return false
  const fillsPicture = box.width > 0.98 * size.width && box.height > 0.98 * size.height
  if (fillsPicture && area > boxFilledMax * box.width * box.height) return false
  const radius = Math.max(2, Math.round((smoothShare * Math.min(box.width, box.height)) / 2))
  const smooth = boxBlur(boxBlur(solid, size.width, size.height, radius), size.width, size.height, radius)
  let changed = 0
  for (let i = 0; i < solid.length; i++) if (solid[i] !== (smooth[i]! >= 0.5 ? 1 : 0)) changed++
  return changed < raggedMax * area
}

/** How far from the background's colour a pixel is surely a thing's, and up to where it is background; of the part that differs most. */
const thingFrom = 34
const backgroundTo = 12
/** The share of the border that has the background's colour. */
const borderMin = 0.94

/** The mask of what lies on a background of one colour, as products and logos do; null where the border has several. */
export function keyedMatte({ rgb, width, height }: Pixels): Uint8Array | null {
  const border: number[] = []
  for (let x = 0; x < width; x++) border.push(x, (height - 1) * width + x)
  for (let y = 1; y < height - 1; y++) border.push(y * width, (y + 1) * width - 1)
  const middle = [0, 1, 2].map((c) => border.map((i) => rgb[i * 3 + c]!).toSorted((a, b) => a - b)[border.length >> 1]!)
  const away = (i: number) => Math.max(...middle.map((level, c) => Math.abs(rgb[i * 3 + c]! - level)))
  const even = border.filter((i) => away(i) <= backgroundTo)
  if (even.length < borderMin * border.length) return null
  const mask = new Uint8Array(width * height).fill(255)
  // From the border inwards: what has its colour inside of a thing belongs to the thing.
  const stack = even.slice()
  for (const i of stack) mask[i] = 0
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const column = at % width
    for (const next of [at - width, at + width, column > 0 ? at - 1 : -1, column < width - 1 ? at + 1 : -1]) {
      if (next < 0 || next >= mask.length || mask[next] !== 255) continue
      const own = away(next)
      if (own >= thingFrom) continue
      mask[next] = own <= backgroundTo ? 0 : Math.round((255 * (own - backgroundTo)) / (thingFrom - backgroundTo))
      if (mask[next]! < 128) stack.push(next)
    }
  }
  return mask
}
