// Points of light that belong to the picture: drawn once on a plane of its size, and moved with it by the scene's grid.

import type { Kernel, Plane } from '../../../video/kernel/kernel.ts'
import type { Area, Size } from '../../../video/picture/output-size.ts'
import { lumaPad, type Picture } from '../../../video/picture/picture-planes.ts'

/** Brightness and place of a point, in shares of the source. */
export interface Point {
  x: number
  y: number
  /** 0 to 1. */
  light: number
  /** In pixels of the frame. */
  radius: number
  /** How much wider than high. */
  wide?: number
}

/** `part` is what the picture holds of the source, `area` what the first frame shows of it. */
export function drawPoints(
  kernel: Kernel,
  picture: Picture,
  frame: Size,
  part: Area,
  area: Area,
  points: Point[],
): Plane {
  const plane = kernel.plane(picture.width, picture.height, lumaPad)
  const origin = plane.at - plane.pad * plane.stride - plane.pad
  kernel.bytes(origin, plane.stride * (plane.height + 2 * plane.pad)).fill(0)
  const bytes = kernel.bytes(plane.at, plane.stride * plane.height)
  // Source pixels per pixel of the first frame.
  const scale = (picture.width / part.width) * (area.width / frame.width)
  for (const { x, y, light, radius, wide = 1 } of points) {
    const [px, py] = [x * plane.width, y * plane.height]
    const [rx, ry] = [Math.max(1, radius * scale * wide), Math.max(1, radius * scale)]
    for (let row = Math.max(0, Math.ceil(py - 2 * ry)); row <= Math.min(plane.height - 1, py + 2 * ry); row++) {
      for (
        let column = Math.max(0, Math.ceil(px - 2 * rx));
        column <= Math.min(plane.width - 1, px + 2 * rx);
        column++
      ) {
        const away = ((column - px) / rx) ** 2 + ((row - py) / ry) ** 2
        const at = row * plane.stride + column
        bytes[at] = Math.max(bytes[at]!, 255 * Math.sqrt(light) * Math.exp(-away))
      }
    }
  }
  return plane
}
