// Turns a camera pose into the homography by which the kernel draws. Pure geometry: poses come from the camera's path.

import type { Camera } from './camera-path.ts'
import type { Homography } from './grid.ts'
import type { Size } from './output-size.ts'

export const restingCamera: Camera = { zoom: 1, x: 0, y: 0, roll: 0, yaw: 0, pitch: 0 }

/** How much nearer one side of the picture comes at yaw or pitch 1, as a share of its distance. */
const perspective = 0.16

/** The strongest turns along a path; the view is narrowed for them all the way, so that it never pulses. */
export interface Turns {
  yaw: number
  pitch: number
}

export function turnsOf(path: (t: number) => Camera): Turns {
  const turns = { yaw: 0, pitch: 0 }
  for (let i = 0; i <= 64; i++) {
    const camera = path(i / 64)
    turns.yaw = Math.max(turns.yaw, Math.abs(camera.yaw))
    turns.pitch = Math.max(turns.pitch, Math.abs(camera.pitch))
  }
  return turns
}

/** The factor by which turning narrows the view: detail must be kept for it as for a zoom. */
export function turnZoom(turns: Turns): number {
  return 1 / (1 - (perspective * (turns.yaw + turns.pitch)) / 2)
}

/** What the camera sees of a source that fills the frame at zoom 1. */
export function cameraView(camera: Camera, turns: Turns, frame: Size, source: Size): Homography {
  const cos = Math.cos(camera.roll)
  const sin = Math.sin(camera.roll)
  const narrowing = turnZoom(turns)
  const scaleX = source.width / frame.width / camera.zoom / narrowing
  const scaleY = source.height / frame.height / camera.zoom / narrowing
  const reachX = (Math.abs(cos) * frame.width + Math.abs(sin) * frame.height) * scaleX * narrowing
  const reachY = (Math.abs(cos) * frame.height + Math.abs(sin) * frame.width) * scaleY * narrowing
  const centreX = (source.width + camera.x * Math.max(0, source.width - reachX)) / 2
  const centreY = (source.height + camera.y * Math.max(0, source.height - reachY)) / 2
  // With p = output − centre: source = centre' + R · scale · p / (1 + gx · px + gy · py).
  const gx = (perspective * camera.yaw) / frame.width
  const gy = (perspective * camera.pitch) / frame.height
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

/** A pose between two others. Both keep the frame inside the picture, and so does everything between. */
export function blendCameras(from: Camera, to: Camera, share: number): Camera {
  const between = (a: number, b: number) => a + (b - a) * share
  return {
    // Zoom multiplies, so it is blended where equal steps look equal.
    zoom: Math.exp(between(Math.log(from.zoom), Math.log(to.zoom))),
    x: between(from.x, to.x),
    y: between(from.y, to.y),
    roll: between(from.roll, to.roll),
    yaw: between(from.yaw, to.yaw),
    pitch: between(from.pitch, to.pitch),
  }
}

export function easeInOut(t: number): number {
  const clamped = Math.min(Math.max(t, 0), 1)
  return clamped * clamped * clamped * (clamped * (clamped * 6 - 15) + 10)
}
