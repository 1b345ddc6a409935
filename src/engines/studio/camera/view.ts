// Turns a camera pose into the homography by which the kernel draws. Pure geometry: poses come from the camera's path,
// which has paid for roll and perspective with zoom, so that the view stays inside the picture.

import type { Homography } from '../../../video/picture/grid.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import { type Camera, perspective } from './path.ts'

/** What the camera sees of a source that fills the frame at zoom 1. */
export function cameraView(camera: Camera, frame: Size, source: Size): Homography {
  const cos = Math.cos(camera.roll)
  const sin = Math.sin(camera.roll)
  const scaleX = source.width / frame.width / camera.zoom
  const scaleY = source.height / frame.height / camera.zoom
  const slack = 1 - 1 / camera.zoom
  const centreX = (source.width * (1 + camera.x * slack)) / 2
  const centreY = (source.height * (1 + camera.y * slack)) / 2
  // With p = output − its centre: source = centre + scale · R · p / (1 + gx · px + gy · py).
  const gx = (2 * perspective * camera.yaw) / frame.width
  const gy = (2 * perspective * camera.pitch) / frame.height
  const a = cos * scaleX + centreX * gx
  const b = -sin * scaleX + centreX * gy
  const d = sin * scaleY + centreY * gx
  const e = cos * scaleY + centreY * gy
  const halfW = frame.width / 2
  const halfH = frame.height / 2
  return [
    a,
    b,
    centreX - a * halfW - b * halfH,
    d,
    e,
    centreY - d * halfW - e * halfH,
    gx,
    gy,
    1 - gx * halfW - gy * halfH,
  ]
}

/** The same view, its source positions scaled about an anchor and shifted: how a nearer layer is seen. */
export function nearerView(
  view: Homography,
  anchor: { x: number; y: number },
  scale: number,
  shift: { x: number; y: number },
): Homography {
  const [a, b, c, d, e, f, g, h, i] = view
  const moveX = anchor.x * (1 - scale) + shift.x
  const moveY = anchor.y * (1 - scale) + shift.y
  return [
    a * scale + moveX * g,
    b * scale + moveX * h,
    c * scale + moveX * i,
    d * scale + moveY * g,
    e * scale + moveY * h,
    f * scale + moveY * i,
    g,
    h,
    i,
  ]
}

/** The same view of a source that is kept at another size. */
export function resized([a, b, c, d, e, f, g, h, i]: Homography, scaleX: number, scaleY: number): Homography {
  return [a * scaleX, b * scaleX, c * scaleX, d * scaleY, e * scaleY, f * scaleY, g, h, i]
}

export function easeInOut(t: number): number {
  const clamped = Math.min(Math.max(t, 0), 1)
  return clamped * clamped * clamped * (clamped * (clamped * 6 - 15) + 10)
}
