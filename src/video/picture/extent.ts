// Where in a mask there is something. Pure.

import type { Area, Size } from './output-size.ts'

/** The smallest area that holds every value of at least `least`. */
export function extentOf(mask: Uint8Array, size: Size, least: number): Area | null {
  let left = size.width
  let right = -1
  let top = size.height
  let bottom = -1
  for (let row = 0, at = 0; row < size.height; row++) {
    for (let column = 0; column < size.width; column++, at++) {
      if (mask[at]! < least) continue
      if (column < left) left = column
      if (column > right) right = column
      if (row < top) top = row
      bottom = row
    }
  }
  return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
}
