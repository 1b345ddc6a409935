// Scenes of one picture: the camera moves over it, flat or with the subject as a nearer layer. It owns how such a frame
// is drawn; the path comes from the prompt and the layers from the subject's mask.

import type { Kernel } from '../../../video/kernel/kernel.ts'
import {
  allocateGrid,
  type Cells,
  cellsAround,
  drawMatte,
  drawPicture,
  fillGrid,
  type Homography,
  homographyWarp,
  layOver,
} from '../../../video/picture/grid.ts'
import type { Area, Size } from '../../../video/picture/output-size.ts'
import { allocateMatte, allocatePicture, type Matte, type Picture } from '../../../video/picture/picture-planes.ts'
import type { Camera } from '../camera/path.ts'
import { cameraView, nearerView, resized } from '../camera/view.ts'

/** Draws one shot. `t` runs from 0 on its first frame to 1 on its last. */
export interface Scene {
  draw(t: number, frame: Picture): void | Promise<void>
  close?(): Promise<void>
}

export type CameraPath = (t: number) => Camera

export function flatScene(kernel: Kernel, frame: Picture, picture: Picture, path: CameraPath): Scene {
  const grid = allocateGrid(kernel, frame)
  return {
    draw(t, to) {
      fillGrid(kernel, grid, picture, homographyWarp(cameraView(path(t), to, picture)))
      drawPicture(kernel, grid, picture, to)
    },
  }
}

export interface Layers {
  /** The picture with its subject painted over. */
  background: Picture
  /** The picture as it is, of the same size. */
  subject: Picture
  /** Of any size: it is stretched over the picture. */
  matte: Matte
  /** Where the subject lies, in the picture's luma pixels. */
  extent: Area
}

/** How much more than its surroundings the subject moves and grows, where there is room for it. */
const nearness = 0.5
/** How far turning the camera shifts the subject against the background, as a share of the width. */
const turnShift = 0.03
/** The layers part by at most this share of the width: what is behind the subject is only guessed. */
export const partingMax = 0.012

/** How the subject is seen against its background at one moment. */
interface Parting {
  scale: number
  x: number
  y: number
}

export function layeredScene(kernel: Kernel, frame: Picture, layers: Layers, path: CameraPath): Scene {
  const { background, subject, matte, extent } = layers
  const grid = allocateGrid(kernel, frame)
  const top = allocatePicture(kernel, frame.width, frame.height)
  const topMatte = allocateMatte(kernel, frame.width, frame.height)
  // In mid-path the layers coincide, so that each side of the move uncovers as little as possible.
  const middle = poseOf(path(0.5), frame, background)
  const toMatteX = matte.luma.width / subject.width
  const toMatteY = matte.luma.height / subject.height
  const { anchor, grows, slidesX, slidesY } = freedomOf(extent, background)
  const partingAt = (pose: Pose, strength: number): Parting => {
    const x = nearness * (pose.x - middle.x) + turnShift * (pose.yaw - middle.yaw) * background.width
    const y = nearness * (pose.y - middle.y) + turnShift * (pose.pitch - middle.pitch) * background.width
    return {
      scale: grows ? (pose.scale / middle.scale) ** (nearness * strength) : 1,
      x: slidesX ? strength * x : 0,
      y: slidesY ? strength * y : 0,
    }
  }
  const reach = (t: number) => partingReach(partingAt(poseOf(path(t), frame, background), 1), extent)
  const widest = Math.max(...Array.from({ length: 17 }, (_, i) => reach(i / 16)))
  const strength = Math.min(1, (partingMax * background.width) / Math.max(widest, 1e-9))
  return {
    draw(t, to) {
      const pose = poseOf(path(t), to, background)
      fillGrid(kernel, grid, background, homographyWarp(pose.view))
      drawPicture(kernel, grid, background, to)
      const { scale, x, y } = partingAt(pose, strength)
      const near = nearerView(pose.view, anchor, scale, { x, y })
      const cells = cellsOf(near, extent, to)
      if (!cells) return
      fillGrid(kernel, grid, subject, homographyWarp(near))
      drawPicture(kernel, grid, subject, top, cells)
      fillGrid(kernel, grid, { y: matte.luma, u: matte.chroma }, homographyWarp(resized(near, toMatteX, toMatteY)))
      drawMatte(kernel, grid, matte, topMatte, cells)
      layOver(kernel, top, topMatte, to, 1, cells)
    },
  }
}

/**
 * How the subject may move against its background. Where the picture's edge cuts it, there is no more of it to show, so
 * it stays put along that edge; else it grows from the middle of its lower edge, as feet stay where they stand.
 */
function freedomOf(extent: Area, picture: Size) {
  const near = 0.01 * picture.width
  const left = extent.x < near
  const right = extent.x + extent.width > picture.width - near
  const top = extent.y < near
  const bottom = extent.y + extent.height > picture.height - near
  const middle = extent.x + extent.width / 2
  return {
    anchor: {
      x: left ? 0 : right ? picture.width : middle,
      y: top ? 0 : bottom ? picture.height : extent.y + extent.height,
    },
    grows: !(left && right) && !(top && bottom),
    slidesX: !left && !right,
    slidesY: !top && !bottom,
  }
}

/** The farthest that any point of the extent is moved against the background, in source pixels. */
function partingReach({ scale, x, y }: Parting, extent: Area): number {
  const sideways = Math.abs(x) + (Math.abs(scale - 1) * extent.width) / 2
  return Math.hypot(sideways, Math.abs(y) + Math.abs(scale - 1) * extent.height)
}

interface Pose {
  view: Homography
  /** Centre of the view in source pixels, and source pixels per output pixel. */
  x: number
  y: number
  scale: number
  yaw: number
  pitch: number
}

function poseOf(camera: Camera, frame: Picture, source: Picture): Pose {
  const view = cameraView(camera, frame, source)
  const centre = new Float64Array(2)
  homographyWarp(view)(frame.width / 2, frame.height / 2, centre)
  const scale = source.width / frame.width / camera.zoom
  return { view, x: centre[0]!, y: centre[1]!, scale, yaw: camera.yaw, pitch: camera.pitch }
}

/** The frame's cells in which the extent can show: a nearby cell is included where the view's inverse is curved. */
function cellsOf(view: Homography, extent: Area, frame: Picture): Cells | null {
  const inverse = invert(view)
  const to = new Float64Array(2)
  const xs: number[] = []
  const ys: number[] = []
  for (const x of [extent.x, extent.x + extent.width]) {
    for (const y of [extent.y, extent.y + extent.height]) {
      homographyWarp(inverse)(x, y, to)
      xs.push(to[0]!)
      ys.push(to[1]!)
    }
  }
  return cellsAround(frame, Math.min(...xs) - 4, Math.min(...ys) - 4, Math.max(...xs) + 4, Math.max(...ys) + 4)
}

export function invert([a, b, c, d, e, f, g, h, i]: Homography): Homography {
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ]
}
