// Scenes that lead from one picture to another: a morph along measured motion, or a dissolve under a moving camera.
// Both begin exactly on the first picture and end exactly on the last.

import { fillPlane, type Kernel } from '../../../video/kernel/kernel.ts'
import {
  allocateGrid,
  drawMatte,
  drawPicture,
  fillGrid,
  layOver,
  mixInto,
  nodePosition,
  type Warp,
} from '../../../video/picture/grid.ts'
import { allocateMatte, allocatePicture, type Picture } from '../../../video/picture/picture-planes.ts'
import { easeInOut } from '../camera/view.ts'
import { drawView, type Scene, type View } from './camera-scene.ts'
import type { Flow } from './flow.ts'

/** Below this share of pixels on which both directions agree, a morph would smear: the pictures are unrelated. */
export const agreementMin = 0.25

/** Both pictures have one size. */
export function morphScene(kernel: Kernel, frame: Picture, first: Picture, last: Picture, flow: Flow): Scene {
  const firstGrid = allocateGrid(kernel, frame)
  const lastGrid = allocateGrid(kernel, frame)
  const other = allocatePicture(kernel, frame.width, frame.height)
  const blend = createBlend(kernel, frame)
  const forward = smoothField(flow.forward, flow)
  const backward = smoothField(flow.backward, flow)
  const costly = { scaleY: first.height / frame.height }
  const margin = edgeShare * first.width
  return {
    draw(t, to) {
      const share = easeInOut(t)
      fillGrid(kernel, firstGrid, first, flowWarp(forward, flow, share, to, first), costly)
      drawPicture(kernel, firstGrid, first, to)
      if (share === 0) return
      fillGrid(kernel, lastGrid, last, flowWarp(backward, flow, 1 - share, to, last), costly)
      drawPicture(kernel, lastGrid, last, other)
      const inFirst = nodePosition(kernel, firstGrid)
      const inLast = nodePosition(kernel, lastGrid)
      const at = new Float64Array(2)
      blend(other, to, (node) => {
        inLast(node, at)
        const seenInLast = share * insideShare(at, last, margin)
        inFirst(node, at)
        return seenInLast / (seenInLast + (1 - share) * insideShare(at, first, margin))
      })
    },
  }
}

/** What comes into view from beyond one picture's edge is taken from the other, over this share of the width. */
const edgeShare = 0.02

/**
 * How much a position counts: fully inside the picture, less and less beyond its edge. A step or two outside, where the
 * edge is merely repeated, still counts: else a rim of one picture's colours would frame the blend of both.
 */
function insideShare(at: Float64Array, source: Picture, margin: number): number {
  const depth = Math.min(at[0]!, source.width - at[0]!, at[1]!, source.height - at[1]!)
  return Math.min(Math.max(1 + depth / margin, 0.001), 1)
}

/** Lays one picture over another with a weight (0..1) that is computed at the corners of cells. */
function createBlend(kernel: Kernel, frame: Picture) {
  const grid = allocateGrid(kernel, frame)
  const nodes = { width: grid.columns, height: grid.rows }
  const weights = kernel.plane(nodes.width, nodes.height, 2)
  const matte = allocateMatte(kernel, frame.width, frame.height)
  for (const at of [grid.luma, grid.chroma]) {
    const coordinates = kernel.ints(at, nodes.width * nodes.height * 2)
    for (let i = 0; i < coordinates.length / 2; i++) {
      coordinates[i * 2] = (i % nodes.width) << 16
      coordinates[i * 2 + 1] = Math.floor(i / nodes.width) << 16
    }
  }
  const bytes = new Uint8Array(nodes.width * nodes.height)
  return (top: Picture, under: Picture, weightOf: (node: number) => number): void => {
    for (let node = 0; node < bytes.length; node++) bytes[node] = Math.round(255 * weightOf(node))
    fillPlane(kernel, weights, bytes)
    drawMatte(kernel, grid, { luma: weights, chroma: weights }, matte)
    layOver(kernel, top, matte, under, 1)
  }
}

/**
 * The pictures dissolve into each other under a moving camera. Its one path sets out from the whole first picture, its
 * other arrives at the whole last one. It lasts for a share of the shot, around its middle.
 */
export function dissolveScene(
  kernel: Kernel,
  frame: Picture,
  from: View & { picture: Picture },
  to: View & { picture: Picture },
  lasts: number,
): Scene {
  const grid = allocateGrid(kernel, frame)
  const other = allocatePicture(kernel, frame.width, frame.height)
  const look = (view: typeof from, t: number, canvas: Picture) => {
    drawView(kernel, grid, view.picture, view, t, canvas)
  }
  return {
    draw(t, canvas) {
      const weight = easeInOut((t - 0.5) / lasts + 0.5)
      if (weight < 1) look(from, t, canvas)
      if (weight === 1) look(to, t, canvas)
      if (weight === 0 || weight === 1) return
      look(to, t, other)
      mixInto(kernel, canvas, other, weight)
    },
  }
}

/**
 * Where the pixel comes from that has travelled to (x, y) after `share` of its way. The field says where pixels go from
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
