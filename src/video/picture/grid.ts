// Fills the kernel's coordinate grids and runs it on whole pictures. It owns what the numbers in a grid mean;
// which view they show comes from outside as a homography or as any other function of output positions.

import type { Kernel, Plane } from '../kernel/kernel.ts'
import type { Size } from './output-size.ts'
import type { Matte, Picture } from './picture-planes.ts'

/**
 * Maps output positions (pixels, edges at 0 and the width) to source luma positions in the same sense:
 * x' = (a·x + b·y + c) / (g·x + h·y + i), y' = (d·x + e·y + f) / (g·x + h·y + i).
 */
export type Homography = readonly [
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  g: number,
  h: number,
  i: number,
]

export type Warp = (x: number, y: number, to: Float64Array) => void

const lumaCellBits = 4
const chromaCellBits = 3
const one = 65_536

/** Grids for a frame of one size: one for luma, one for chroma, with the same number of nodes. */
export interface Grid {
  columns: number
  rows: number
  luma: number
  chroma: number
  /** Whether its coordinates move and scale without turning, which is drawn at a third of the cost. */
  straight: boolean
  /** Working memory for drawing it so. */
  scratch: number
}

/** How many source pixels a pixel may step over in a grid that counts as straight. */
const stepMax = 4.5

export function allocateGrid(kernel: Kernel, frame: Size): Grid {
  const columns = Math.ceil(frame.width / 16) + 1
  const rows = Math.ceil(frame.height / 16) + 1
  const bytes = columns * rows * 8
  return {
    columns,
    rows,
    luma: kernel.allocate(bytes),
    chroma: kernel.allocate(bytes),
    straight: false,
    scratch: kernel.allocate(columns * 16 * (10 + 2 * stepMax)),
  }
}

export function homographyWarp(m: Homography): Warp {
  const [a, b, c, d, e, f, g, h, i] = m
  return (x, y, to) => {
    const w = 1 / (g * x + h * y + i)
    to[0] = (a * x + b * y + c) * w
    to[1] = (d * x + e * y + f) * w
  }
}

/**
 * Writes the nodes for drawing from a source. A costly warp is evaluated once per node instead of twice: chroma, half a
 * pixel lower, then follows from the scale alone, which is right to a few hundredths of a pixel.
 */
export function fillGrid(
  kernel: Kernel,
  grid: Grid,
  source: { y: Plane; u: Plane },
  warp: Warp,
  costly?: { scaleY: number },
): void {
  const count = grid.columns * grid.rows * 2
  const luma = kernel.ints(grid.luma, count)
  const chroma = kernel.ints(grid.chroma, count)
  const { y, u } = source
  const to = new Float64Array(2)
  let straight = true
  for (let row = 0, at = 0; row < grid.rows; row++) {
    const rowStart = at
    for (let column = 0; column < grid.columns; column++, at += 2) {
      const x = column * 16 + 0.5
      warp(x, row * 16 + 0.5, to)
      luma[at] = fixed(to[0]! - 0.5, y.width, y.pad)
      luma[at + 1] = fixed(to[1]! - 0.5, y.height, y.pad)
      // H.264 puts a chroma sample level with its left luma column, and halfway between its two rows.
      if (costly) to[1]! += 0.5 * costly.scaleY
      else warp(x, row * 16 + 1, to)
      chroma[at] = fixed(to[0]! / 2 - 0.5, u.width, u.pad)
      chroma[at + 1] = fixed(to[1]! / 2 - 0.5, u.height, u.pad)
      straight &&= luma[at] === luma[column * 2] && luma[at + 1] === luma[rowStart + 1]
    }
  }
  grid.straight = straight && stepsForward(luma, grid.columns)
}

/** Whether x rises from node to node of the first row, and not too steeply. */
function stepsForward(nodes: Int32Array, columns: number): boolean {
  for (let at = 2; at < columns * 2; at += 2) {
    const step = nodes[at]! - nodes[at - 2]!
    if (step < 0 || step > stepMax * 16 * one) return false
  }
  return true
}

/** Where a node of the grid looks, in source luma positions. */
export function nodePosition(kernel: Kernel, grid: Grid): (node: number, to: Float64Array) => void {
  const luma = kernel.ints(grid.luma, grid.columns * grid.rows * 2)
  return (node, to) => {
    to[0] = luma[node * 2]! / one + 0.5
    to[1] = luma[node * 2 + 1]! / one + 0.5
  }
}

/** Where in the frame the grid shows a source luma position; beyond the frame, where it would if the grid went on. */
export function framePosition(kernel: Kernel, grid: Grid, x: number, y: number): { x: number; y: number } {
  const { columns, rows } = grid
  const nodes = kernel.ints(grid.luma, columns * rows * 2)
  const [ownX, ownY] = [(x - 0.5) * one, (y - 0.5) * one]
  let nearest = 0
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < nodes.length; at += 2) {
    const away = (nodes[at]! - ownX) ** 2 + (nodes[at + 1]! - ownY) ** 2
    if (away >= least) continue
    least = away
    nearest = at
  }
  const column = (nearest / 2) % columns
  const row = Math.floor(nearest / 2 / columns)
  const [restX, restY] = [ownX - nodes[nearest]!, ownY - nodes[nearest + 1]!]
  // The grid's steps on the side on which the position lies, where there are any: both sides agree at the node itself.
  const across = column === columns - 1 || (restX < 0 && column > 0) ? -1 : 1
  const down = row === rows - 1 || (restY < 0 && row > 0) ? -1 : 1
  const [right, below] = [nearest + 2 * across, nearest + 2 * down * columns]
  const [a, b] = [nodes[right]! - nodes[nearest]!, nodes[below]! - nodes[nearest]!]
  const [c, d] = [nodes[right + 1]! - nodes[nearest + 1]!, nodes[below + 1]! - nodes[nearest + 1]!]
  const area = a * d - b * c || 1
  return {
    x: (column + (across * (restX * d - restY * b)) / area) * 16 + 0.5,
    y: (row + (down * (restY * a - restX * c)) / area) * 16 + 0.5,
  }
}

function fixed(position: number, size: number, pad: number): number {
  return Math.round(Math.min(Math.max(position, -pad), size + pad - 2) * one)
}

/** A part of a frame in whole cells. */
export interface Cells {
  column: number
  row: number
  columns: number
  rows: number
}

/** Draws the source into the frame (or into some cells of it) at the grid's coordinates. */
export function drawPicture(kernel: Kernel, grid: Grid, source: Picture, frame: Picture, cells?: Cells): void {
  drawPlane(kernel, grid, source.y, frame.y, lumaCellBits, cells)
  drawPlane(kernel, grid, source.u, frame.u, chromaCellBits, cells)
  drawPlane(kernel, grid, source.v, frame.v, chromaCellBits, cells)
}

/** Draws a plane of chroma's size at the grid's coordinates. */
export function drawHalf(kernel: Kernel, grid: Grid, source: Plane, to: Plane): void {
  drawPlane(kernel, grid, source, to, chromaCellBits)
}

/** Draws a plane of luma's size at the grid's coordinates. */
export function drawWhole(kernel: Kernel, grid: Grid, source: Plane, to: Plane): void {
  drawPlane(kernel, grid, source, to, lumaCellBits)
}

export function drawMatte(kernel: Kernel, grid: Grid, source: Matte, frame: Matte, cells?: Cells): void {
  drawPlane(kernel, grid, source.luma, frame.luma, lumaCellBits, cells)
  drawPlane(kernel, grid, source.chroma, frame.chroma, chromaCellBits, cells)
}

function drawPlane(kernel: Kernel, grid: Grid, from: Plane, to: Plane, bits: number, cells?: Cells): void {
  const nodes = bits === lumaCellBits ? grid.luma : grid.chroma
  const part = partOf(to, bits, cells)
  const firstNode = nodes + ((cells?.row ?? 0) * grid.columns + (cells?.column ?? 0)) * 8
  const { at, width, height } = part
  const drawing = [from.at, from.stride, at, to.stride, width, height, firstNode, grid.columns, bits] as const
  if (grid.straight) kernel.stretch(...drawing, grid.scratch)
  else kernel.remap(...drawing)
}

/** Lays one picture over another where the matte shows it; opacity 0..1. */
export function layOver(
  kernel: Kernel,
  top: Picture,
  matte: Matte,
  frame: Picture,
  opacity: number,
  cells?: Cells,
): void {
  const strength = Math.round(opacity * 32_767)
  const planes = [
    [top.y, matte.luma, frame.y, lumaCellBits],
    [top.u, matte.chroma, frame.u, chromaCellBits],
    [top.v, matte.chroma, frame.v, chromaCellBits],
  ] as const
  for (const [from, alpha, to, bits] of planes) {
    const part = partOf(to, bits, cells)
    const source = from.at + part.at - to.at
    const cover = alpha.at + part.at - to.at
    kernel.over(part.at, to.stride, source, from.stride, cover, alpha.stride, part.width, part.height, strength)
  }
}

/** frame = frame + (other − frame) · weight, for pictures of one size. */
export function mixInto(kernel: Kernel, frame: Picture, other: Picture, weight: number): void {
  const strength = Math.round(weight * 32_767)
  for (const [to, from] of [
    [frame.y, other.y],
    [frame.u, other.u],
    [frame.v, other.v],
  ] as const) {
    kernel.mix(to.at, to.at, from.at, to.stride * to.height, strength)
  }
}

function partOf(plane: Plane, bits: number, cells?: Cells): { at: number; width: number; height: number } {
  if (!cells) return { at: plane.at, width: plane.width, height: plane.height }
  const x = cells.column << bits
  const y = cells.row << bits
  return {
    at: plane.at + y * plane.stride + x,
    width: Math.min(cells.columns << bits, plane.width - x),
    height: Math.min(cells.rows << bits, plane.height - y),
  }
}

/** The cells of a frame that a rectangle in output pixels touches; null where it lies outside. */
export function cellsAround(frame: Size, left: number, top: number, right: number, bottom: number): Cells | null {
  const column = Math.max(0, Math.floor(left / 16))
  const row = Math.max(0, Math.floor(top / 16))
  const columns = Math.min(Math.ceil(frame.width / 16), Math.ceil(right / 16)) - column
  const rows = Math.min(Math.ceil(frame.height / 16), Math.ceil(bottom / 16)) - row
  return columns > 0 && rows > 0 ? { column, row, columns, rows } : null
}
