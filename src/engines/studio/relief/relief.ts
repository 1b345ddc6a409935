// Moves one picture as if it had depth: near parts travel and grow more than far ones, by one continuous warp. Nothing is
// cut, so nothing tears. The depth map's slope is limited so that the warp never folds. Pure.

import { type Homography, homographyWarp, type Warp } from '../../../video/picture/grid.ts'
import { type Luma, sampleAt } from '../../../video/picture/luma.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import type { Camera } from '../camera/camera.ts'
import { type Bounds, firstFrameOnly } from '../camera/view.ts'
import { gaussian } from './depth-map.ts'

export interface Relief {
  /** Nearness of the window's parts, 0 to 1, of limited slope. */
  depth: Luma
  /** The nearness that stays where the flat view has it. */
  steady: number
  /** The point that a dolly goes towards, in shares of the window's sides. */
  centre: { x: number; y: number }
  window: Bounds
}

/**
 * The steepest that parallax may change, in source pixels per source pixel. The warp's Jacobian is then at least
 * 1 / (1 + slopeMax).
 */
const slopeMax = 0.55

/** Limits the depth map's slope to what the poses of a path can bear. */
export function prepareRelief(
  depth: Luma,
  steady: number,
  poses: Camera[],
  { centre = { x: 0.5, y: 0.5 }, window = firstFrameOnly } = {},
): Relief {
  const { width, height } = depth
  const frameWidth = (2 * width) / (window.right - window.left)
  const corner = Math.hypot(Math.max(centre.x, 1 - centre.x) * width, Math.max(centre.y, 1 - centre.y) * height)
  let travel = 1e-9
  for (const { shiftX, shiftY, dolly } of poses) {
    travel = Math.max(travel, Math.hypot(shiftX, shiftY) * frameWidth + Math.abs(dolly) * corner)
  }
  const limited = limitSlope(depth, slopeMax / travel / Math.SQRT2)
  const data = gaussian(limited.data, width, height, 1.2)
  return { depth: { data, width, height }, steady: withinSteady(steady), centre, window }
}

/** Parallax on either side of a depth outside of this would need more room than paths pay for. */
export function withinSteady(depth: number): number {
  return Math.min(0.65, Math.max(0.35, depth))
}

/** The smallest map above this one whose slope is at most `slope` per pixel along each axis: near things widen. */
export function limitSlope({ data, width, height }: Luma, slope: number): Luma {
  const limited = Float32Array.from(data)
  const diagonal = slope * Math.SQRT2
  const raise = (at: number, from: number, drop: number) => {
    const least = limited[from]! - drop
    if (limited[at]! < least) limited[at] = least
  }
  for (let row = 0, at = 0; row < height; row++) {
    for (let column = 0; column < width; column++, at++) {
      if (column > 0) raise(at, at - 1, slope)
      if (row === 0) continue
      raise(at, at - width, slope)
      if (column > 0) raise(at, at - width - 1, diagonal)
      if (column < width - 1) raise(at, at - width + 1, diagonal)
    }
  }
  for (let row = height - 1, at = data.length - 1; row >= 0; row--) {
    for (let column = width - 1; column >= 0; column--, at--) {
      if (column < width - 1) raise(at, at + 1, slope)
      if (row === height - 1) continue
      raise(at, at + width, slope)
      if (column < width - 1) raise(at, at + width + 1, diagonal)
      if (column > 0) raise(at, at + width - 1, diagonal)
    }
  }
  return { data: limited, width, height }
}

/**
 * The view of a camera in relief. A point of nearness d lies at s and is seen at q = s + (d − steady) · travel(s), so s is
 * found by stepping back repeatedly; the slope is limited, and four steps settle it.
 */
export function reliefWarp(view: Homography, camera: Camera, relief: Relief, source: Size): Warp {
  const flat = homographyWarp(view)
  const { depth, steady, centre, window } = relief
  const frameWidth = (2 * source.width) / (window.right - window.left)
  const left = -camera.shiftX * frameWidth
  const up = -camera.shiftY * frameWidth
  const centreX = centre.x * source.width
  const centreY = centre.y * source.height
  const toMapX = depth.width / source.width
  const toMapY = depth.height / source.height
  const { dolly } = camera
  return (x, y, to) => {
    flat(x, y, to)
    const seenX = to[0]!
    const seenY = to[1]!
    let fromX = seenX
    let fromY = seenY
    for (let i = 0; i < 4; i++) {
      const near = sampleAt(depth, fromX * toMapX - 0.5, fromY * toMapY - 0.5) - steady
      const nextX = seenX - near * (left + dolly * (fromX - centreX))
      fromY = seenY - near * (up + dolly * (fromY - centreY))
      fromX = nextX
    }
    to[0] = fromX
    to[1] = fromY
  }
}
