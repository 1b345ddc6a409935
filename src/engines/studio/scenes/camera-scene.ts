// The scene of one picture: the camera moves over it, flat or in relief. It owns how such a frame is drawn; the path comes
// from the prompt and the relief from the picture's depth.

import type { Kernel } from '../../../video/kernel/kernel.ts'
import {
  allocateGrid,
  drawPicture,
  fillGrid,
  type Grid,
  homographyWarp,
  mixInto,
  type Warp,
} from '../../../video/picture/grid.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import { allocatePicture, type Picture } from '../../../video/picture/picture-planes.ts'
import type { CameraPath } from '../camera/camera.ts'
import { type Bounds, cameraView, easeInOut, firstFrameOnly } from '../camera/view.ts'
import { type Relief, reliefWarp } from '../relief/relief.ts'
import { keptInside } from './kept-inside.ts'

/** Draws one shot. `t` runs from 0 on its first frame to 1 on its last. */
export interface Scene {
  draw(t: number, frame: Picture): void | Promise<void>
  /** Where the last drawn frame took its pixels from, where that is one picture. */
  grid?: Grid
}

export interface View {
  path: CameraPath
  /** The part of the world that the picture holds. */
  window?: Bounds
  relief?: Relief | null
  drift?: Drift | null
}

/** Parts of the picture that move by themselves: clouds, foliage. */
export interface Drift {
  /** Moves a position of the source (as shares of its sides) at a moment. */
  move(second: number): (x: number, y: number, to: Float64Array) => void
  seconds: number
}

export function cameraScene(kernel: Kernel, frame: Picture, picture: Picture, view: View): Scene {
  const grid = allocateGrid(kernel, frame)
  const { drift } = view
  return {
    grid,
    draw: (t, to) => drawView(kernel, grid, picture, view, t, to, drift?.move(t * drift.seconds)),
  }
}

/** Changes a finished frame of the moment `t`. */
export type Recovery = (t: number, frame: Picture) => Promise<void>

/** Cross-fades from another scene of the same camera during the first part of a shot; `lasts` is the share of its time. */
export function crossFade(kernel: Kernel, frame: Picture, first: Scene, lasts: number): Recovery {
  const other = allocatePicture(kernel, frame.width, frame.height)
  return async (t, to) => {
    if (t >= lasts) return
    await first.draw(t, other)
    mixInto(kernel, to, other, 1 - easeInOut(t / lasts))
  }
}

/** Draws what a camera sees of a picture at one moment. */
export function drawView(
  kernel: Kernel,
  grid: Grid,
  picture: Picture,
  view: View,
  t: number,
  to: Picture,
  move?: ReturnType<Drift['move']>,
): void {
  aimView(kernel, grid, picture, view, t, to, move)
  drawPicture(kernel, grid, picture, to)
}

/** Fills a grid with what a camera sees of a picture at one moment. */
function aimView(
  kernel: Kernel,
  grid: Grid,
  picture: Picture,
  view: View,
  t: number,
  to: Size,
  move?: ReturnType<Drift['move']>,
): void {
  const { warp, deep } = seenThrough(view, t, to, picture)
  const still = keptInside(warp, to, picture)
  const costly = { scaleY: picture.height / to.height }
  if (move) fillGrid(kernel, grid, picture, moved(still, move, picture), costly)
  else if (deep) fillGrid(kernel, grid, picture, still, costly)
  else fillGrid(kernel, grid, picture, still)
}

/** What a camera sees of a picture at one moment, beyond its edges too; `deep` where it sees relief. */
export function seenThrough(
  { path, window = firstFrameOnly, relief }: View,
  t: number,
  frame: Size,
  picture: Size,
): { warp: Warp; deep: boolean } {
  const camera = path(t)
  const seen = cameraView(camera, frame, picture, window)
  const travels = camera.shiftX !== 0 || camera.shiftY !== 0 || camera.dolly !== 0
  if (relief && travels) return { warp: reliefWarp(seen, camera, relief, picture), deep: true }
  return { warp: homographyWarp(seen), deep: false }
}

/** A view of a picture in which places move by themselves. */
export function moved(warp: Warp, move: ReturnType<Drift['move']>, { width, height }: Size): Warp {
  const by = new Float64Array(2)
  return (x, y, to) => {
    warp(x, y, to)
    move(to[0]! / width, to[1]! / height, by)
    to[0]! += by[0]! * width
    to[1]! += by[1]! * width
  }
}
