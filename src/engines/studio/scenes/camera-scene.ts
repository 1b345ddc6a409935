// The scene of one picture: the camera moves over it, flat or in relief. It owns how such a frame is drawn; the path comes
// from the prompt and the relief from the picture's depth.

import type { Kernel } from '../../../video/kernel/kernel.ts'
import { allocateGrid, drawPicture, fillGrid, type Grid, homographyWarp } from '../../../video/picture/grid.ts'
import type { Picture } from '../../../video/picture/picture-planes.ts'
import type { Camera } from '../camera/path.ts'
import { cameraView, firstFrameOnly, type Window } from '../camera/view.ts'
import { type Relief, reliefWarp } from '../relief/relief.ts'

/** Draws one shot. `t` runs from 0 on its first frame to 1 on its last. */
export interface Scene {
  draw(t: number, frame: Picture): void | Promise<void>
  /** Where the last drawn frame took its pixels from, where that is one picture. */
  grid?: Grid
}

export type CameraPath = (t: number) => Camera

export interface View {
  path: CameraPath
  /** The part of the world that the picture holds. */
  window?: Window
  relief?: Relief | null
}

export function cameraScene(kernel: Kernel, frame: Picture, picture: Picture, view: View): Scene {
  const grid = allocateGrid(kernel, frame)
  return { grid, draw: (t, to) => drawView(kernel, grid, picture, view, t, to) }
}

/** Draws what a camera sees of a picture at one moment. */
export function drawView(
  kernel: Kernel,
  grid: Grid,
  picture: Picture,
  { path, window = firstFrameOnly, relief }: View,
  t: number,
  to: Picture,
): void {
  const camera = path(t)
  const seen = cameraView(camera, to, picture, window)
  const moves = camera.shiftX !== 0 || camera.shiftY !== 0 || camera.dolly !== 0
  if (relief && moves) {
    fillGrid(kernel, grid, picture, reliefWarp(seen, camera, relief, picture), { scaleY: picture.height / to.height })
  } else fillGrid(kernel, grid, picture, homographyWarp(seen))
  drawPicture(kernel, grid, picture, to)
}
