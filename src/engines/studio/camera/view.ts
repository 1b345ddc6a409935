// Turns a camera pose into the homography by which the kernel draws. Pure geometry: poses come from the camera's path,
// which has paid for roll and perspective with zoom, so that the view stays inside the picture.

import type { Homography } from '../../../video/picture/grid.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import type { Camera } from './camera.ts'
import { perspective } from './path.ts'

/** The part of the world that a source holds, in halves of the first frame's sides around its centre. */
export interface Bounds {
  left: number
  top: number
  right: number
  bottom: number
}

export const firstFrameOnly: Bounds = { left: -1, top: -1, right: 1, bottom: 1 }

/** What the camera sees, in pixels of a source that holds a window of the world. */
export function cameraView(camera: Camera, frame: Size, source: Size, window = firstFrameOnly): Homography {
  const cos = Math.cos(camera.roll)
  const sin = Math.sin(camera.roll)
  // Source pixels per half of the first frame.
  const perHalfX = source.width / (window.right - window.left)
  const perHalfY = source.height / (window.bottom - window.top)
  const scaleX = (2 * perHalfX) / frame.width / camera.zoom
  const scaleY = (2 * perHalfY) / frame.height / camera.zoom
  const centreX = (camera.x - window.left) * perHalfX
  const centreY = (camera.y - window.top) * perHalfY
  // With p = output − its centre: source = centre + scale · R · p / (1 + gx · px).
  const gx = (2 * perspective * camera.yaw) / frame.width
  const a = cos * scaleX + centreX * gx
  const b = -sin * scaleX
  const d = sin * scaleY + centreY * gx
  const e = cos * scaleY
  const halfW = frame.width / 2
  const halfH = frame.height / 2
  return [
    ...([a, b, centreX - a * halfW - b * halfH] as const),
    ...([d, e, centreY - d * halfW - e * halfH] as const),
    ...([gx, 0, 1 - gx * halfW] as const),
  ]
}

export function easeInOut(t: number): number {
  const clamped = Math.min(Math.max(t, 0), 1)
  return clamped * clamped * clamped * (clamped * (clamped * 6 - 15) + 10)
}
