// Scenes that lead from one picture to another: a morph along measured motion, or a dissolve under a moving camera.
// Both begin exactly on the first picture and end exactly on the last.

import type { CameraPath, Scene } from './camera-scene.ts'
import { cameraView, easeInOut } from './camera-view.ts'
import type { Flow } from './flow.ts'
import { allocateGrid, drawPicture, fillGrid, homographyWarp, mixInto, type Warp } from './grid.ts'
import type { Kernel } from './kernel/kernel.ts'
import { allocatePicture, type Picture } from './picture-planes.ts'

/** Below this share of pixels on which both directions agree, a morph would smear: the pictures are unrelated. */
export const agreementMin = 0.25

/** Both pictures have one size. */
export function morphScene(kernel: Kernel, frame: Picture, first: Picture, last: Picture, flow: Flow): Scene {
  const grid = allocateGrid(kernel, frame)
  const other = allocatePicture(kernel, frame.width, frame.height)
  const forward = smoothField(flow.forward, flow)
  const backward = smoothField(flow.backward, flow)
  return {
    draw(t, to) {
      const share = easeInOut(t)
      fillGrid(kernel, grid, first, flowWarp(forward, flow, share, to, first))
      drawPicture(kernel, grid, first, to)
      if (share === 0) return
      fillGrid(kernel, grid, last, flowWarp(backward, flow, 1 - share, to, last))
      drawPicture(kernel, grid, last, other)
      mixInto(kernel, to, other, share)
    },
  }
}

/**
 * The pictures dissolve into each other under a moving camera. Its one path sets out from the whole first picture, its
 * other arrives at the whole last one.
 */
export function dissolveScene(
  kernel: Kernel,
  frame: Picture,
  from: { picture: Picture; path: CameraPath },
  to: { picture: Picture; path: CameraPath },
): Scene {
  const grid = allocateGrid(kernel, frame)
  const other = allocatePicture(kernel, frame.width, frame.height)
  const look = ({ picture, path }: typeof from, t: number, canvas: Picture) => {
    fillGrid(kernel, grid, picture, homographyWarp(cameraView(path(t), canvas, picture)))
    drawPicture(kernel, grid, picture, canvas)
  }
  return {
    draw(t, canvas) {
      const weight = easeInOut((t - 0.25) / 0.5)
      if (weight < 1) look(from, t, canvas)
      if (weight === 1) look(to, t, canvas)
      if (weight === 0 || weight === 1) return
      look(to, t, other)
      mixInto(kernel, canvas, other, weight)
    },
  }
}

/**
 * Where the pixel comes from that has travelled to (x, y) after `share` of its way. The field tells where pixels go from
 * their start, so the start is found by stepping back repeatedly; the field is smooth, and four steps settle it.
 */
function flowWarp(field: Float32Array, flow: Flow, share: number, frame: Picture, source: Picture): Warp {
  const toFlowX = flow.width / frame.width
  const toFlowY = flow.height / frame.height
  const scaleX = source.width / frame.width
  const scaleY = source.height / frame.height
  const step = new Float64Array(2)
  return (x, y, to) => {
    const endX = x * toFlowX
    const endY = y * toFlowY
    let startX = endX
    let startY = endY
    for (let i = 0; i < 4 && share > 0; i++) {
      sample(field, flow.width, flow.height, startX, startY, step)
      startX = endX - share * step[0]!
      startY = endY - share * step[1]!
    }
    to[0] = (startX / toFlowX) * scaleX
    to[1] = (startY / toFlowY) * scaleY
  }
}

function sample(field: Float32Array, width: number, height: number, x: number, y: number, to: Float64Array): void {
  const left = Math.min(Math.max(x - 0.5, 0), width - 1)
  const top = Math.min(Math.max(y - 0.5, 0), height - 1)
  const column = Math.min(Math.floor(left), width - 2)
  const row = Math.min(Math.floor(top), height - 2)
  const fx = left - column
  const fy = top - row
  const at = (row * width + column) * 2
  for (let i = 0; i < 2; i++) {
    const upper = field[at + i]! * (1 - fx) + field[at + 2 + i]! * fx
    const lower = field[at + width * 2 + i]! * (1 - fx) + field[at + width * 2 + 2 + i]! * fx
    to[i] = upper * (1 - fy) + lower * fy
  }
}

/** A light blur: the grid samples the field every few pixels, and single outliers would show as dents. */
function smoothField(field: Float32Array, { width, height }: Flow): Float32Array {
  let from = field
  for (const [step, length, reach] of [
    [2, width, height],
    [width * 2, height, width],
  ] as const) {
    const other = step === 2 ? width * 2 : 2
    const blurred = new Float32Array(field.length)
    for (let line = 0; line < reach; line++) {
      for (let i = 0; i < length; i++) {
        const at = line * other + i * step
        const before = i > 0 ? at - step : at
        const after = i < length - 1 ? at + step : at
        for (let axis = 0; axis < 2; axis++) {
          blurred[at + axis] = (from[before + axis]! + 2 * from[at + axis]! + from[after + axis]!) / 4
        }
      }
    }
    from = blurred
  }
  return from
}
