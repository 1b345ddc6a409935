// Where the last frame of a shot comes from: the place in the picture that each of its places shows. Pure.

import type { Warp } from '../../../video/picture/grid.ts'
import type { Area, Size } from '../../../video/picture/output-size.ts'
import { moved, seenThrough, type View } from './camera-scene.ts'
import { keptInside } from './kept-inside.ts'

/** `part` is the part of the picture that the view's source holds. */
export function lastViewOf(
  view: View,
  { picture, part }: { picture: Size; part: Area },
  frame: Size,
  seconds: number,
): Warp {
  const last = keptInside(seenThrough(view, 1, frame, picture).warp, frame, picture)
  const lastMoved = view.drift ? moved(last, view.drift.move(seconds), picture) : last
  return inside(part, picture, edged(lastMoved, frame, picture))
}

/** A view in which the frame's places beyond the source show its edges, as they are drawn: leaves may sway out of it. */
function edged(warp: Warp, frame: Size, source: Size): Warp {
  return (x, y, to) => {
    warp(x, y, to)
    if (x < 0 || y < 0 || x > frame.width || y > frame.height) return
    to[0] = Math.min(source.width, Math.max(0, to[0]!))
    to[1] = Math.min(source.height, Math.max(0, to[1]!))
  }
}

/** Places in a source as places in the picture that it is a part of. */
function inside(part: Area, source: Size, warp: Warp): Warp {
  return (x, y, to) => {
    warp(x, y, to)
    to[0] = part.x + (to[0]! / source.width) * part.width
    to[1] = part.y + (to[1]! / source.height) * part.height
  }
}
