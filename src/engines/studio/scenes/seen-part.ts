// The part of a picture that a shot's camera sees: its planes, ready for the kernel, and its relief.

import type { Kernel } from '../../../video/kernel/kernel.ts'
import { type Area, detailSize, type Size } from '../../../video/picture/output-size.ts'
import type { Picture } from '../../../video/picture/picture-planes.ts'
import { cutPixels, type Pixels, toPicture } from '../../../video/picture/source-picture.ts'
import type { Camera, CameraPath } from '../camera/camera.ts'
import { maxZoom, sourcePoint } from '../camera/path.ts'
import type { Bounds } from '../camera/view.ts'
import { slackAround } from '../framing.ts'
import { planCut } from '../relief/cut-window.ts'
import type { Relief } from '../relief/relief.ts'
import { nearnessSeen, shotRelief } from '../relief/shot-relief.ts'
import type { RequestPicture } from '../request-picture.ts'
import { windowOf } from './frame-window.ts'

export interface SeenPart {
  picture: Picture
  pixels: Pixels
  /** In halves of the first frame's sides, and in the picture's pixels. */
  window: Bounds
  part: Area
  relief: Relief | null
  /** How much nearer what a camera sees is on the whole than what stays still; null without relief. */
  nearAt: ((camera: Camera) => number) | null
}

/** `near` is the `nearAt` with which the first frame should begin. */
export function seenPart(
  kernel: Kernel,
  frame: Size,
  { pixels, analysis }: RequestPicture,
  area: Area,
  path: CameraPath,
  target: { x: number; y: number },
  near?: number,
): SeenPart {
  const wanted = windowOf(path, frame.width / frame.height, slackAround(area, pixels))
  const whole = detailSize(area, frame, maxZoom(path))
  const scale = { x: whole.width / area.width, y: whole.height / area.height }
  const { window, inside, size } = planCut(wanted, area, pixels, scale)
  const least = {
    width: (frame.width * (window.right - window.left)) / 2,
    height: (frame.height * (window.bottom - window.top)) / 2,
  }
  const part = areaOf(window, area)
  const relief = analysis?.depth ? shotRelief(analysis.depth, pixels, part, window, path, target, frame, near) : null
  const cut = cutPixels(kernel, pixels, inside, size)
  return {
    picture: toPicture(kernel, cut, least),
    pixels: cut,
    window,
    part,
    relief,
    nearAt: relief && ((camera) => nearnessSeen(relief, camera, frame) - relief.steady),
  }
}

/** What a camera sees of an area without relief, upright. */
export function areaSeen(camera: Camera, area: Area, { width, height }: Size): Area {
  const at = (u: number, v: number) => sourcePoint({ ...camera, roll: 0, yaw: 0 }, u, v, width / height)
  const [from, to] = [at(-1, -1), at(1, 1)]
  return areaOf({ left: from.x, top: from.y, right: to.x, bottom: to.y }, area)
}

/** A window around an area, in the picture's pixels. */
function areaOf(window: Bounds, area: Area): Area {
  return {
    x: area.x + ((window.left + 1) / 2) * area.width,
    y: area.y + ((window.top + 1) / 2) * area.height,
    width: ((window.right - window.left) / 2) * area.width,
    height: ((window.bottom - window.top) / 2) * area.height,
  }
}
