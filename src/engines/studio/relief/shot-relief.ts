// The relief of what a shot sees: which nearness stays still in it, and how near the whole of it is. Pure.

import { type Luma, sampleAt } from '../../../video/picture/luma.ts'
import type { Area, Size } from '../../../video/picture/output-size.ts'
import type { Camera, CameraPath } from '../camera/camera.ts'
import { sourcePoint } from '../camera/path.ts'
import type { Bounds } from '../camera/view.ts'
import { cutMap } from './cut-window.ts'
import { prepareRelief, type Relief, withinSteady } from './relief.ts'

/** `near` is how much nearer the first frame should be on the whole than what stays still. */
export function shotRelief(
  nearness: Luma,
  picture: Size,
  part: Area,
  window: Bounds,
  path: CameraPath,
  target: { x: number; y: number },
  frame: Size,
  near: number | undefined,
): Relief {
  const depth = cutMap(nearness, picture, part)
  const centre = {
    x: (target.x - window.left) / (window.right - window.left),
    y: (target.y - window.top) / (window.bottom - window.top),
  }
  const poses = Array.from({ length: 33 }, (_, i) => path(i / 32))
  const relief = prepareRelief(depth, steadyDepth(depth, centre), poses, { centre, window })
  return near === undefined ? relief : { ...relief, steady: withinSteady(nearnessSeen(relief, path(0), frame) - near) }
}

/** The mean nearness of what a camera sees. */
export function nearnessSeen({ depth, window }: Relief, camera: Camera, { width, height }: Size): number {
  const toMapX = depth.width / (window.right - window.left)
  const toMapY = depth.height / (window.bottom - window.top)
  let sum = 0
  for (let row = 0; row < nearnessPlaces; row++) {
    for (let column = 0; column < nearnessPlaces; column++) {
      const [u, v] = [column, row].map((place) => (2 * place + 1) / nearnessPlaces - 1)
      const { x, y } = sourcePoint(camera, u!, v!, width / height)
      sum += sampleAt(depth, (x - window.left) * toMapX - 0.5, (y - window.top) * toMapY - 0.5)
    }
  }
  return sum / nearnessPlaces ** 2
}

/** Along each side of the frame. */
const nearnessPlaces = 24

/**
 * The nearness of what the camera aims at, over a part of the picture around it: at an edge, a single place of an extension
 * could be in front of it where its parent's was behind, and everything would change its pace.
 */
function steadyDepth({ data, width, height }: Luma, centre: { x: number; y: number }): number {
  const reach = Math.round(width * steadyReach)
  const around = (at: number, size: number) => [Math.max(0, at - reach), Math.min(size - 1, at + reach)] as const
  const [left, right] = around(Math.round(Math.min(1, Math.max(0, centre.x)) * (width - 1)), width)
  const [top, bottom] = around(Math.round(Math.min(1, Math.max(0, centre.y)) * (height - 1)), height)
  let sum = 0
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) sum += data[row * width + column]!
  }
  return sum / ((right - left + 1) * (bottom - top + 1))
}

const steadyReach = 0.06
