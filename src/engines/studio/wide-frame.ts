// The last frame of a video with what its picture shows around it, in as much detail as the picture has. An extension that
// is drawn from it has room for its moves, and keeps the detail that frames of the video's size lose.

import type { Kernel } from '../../video/kernel/kernel.ts'
import { allocateGrid, drawPicture, fillGrid, type Warp } from '../../video/picture/grid.ts'
import type { Area, Size } from '../../video/picture/output-size.ts'
import { allocatePicture, type Picture } from '../../video/picture/picture-planes.ts'
import { cutPixels, type Pixels, toPicture } from '../../video/picture/source-picture.ts'
import type { Slack } from './camera/goals.ts'

/** How much finer than the frame it may be: its pixels line up with those of the frame. */
const finerChoices = [2, 1.5, 1]
/** How much finer than the picture's own detail it may be: drawing samples between pixels, which loses some of it. */
const finerThanDetail = 1.3
const pixelsMax = 12_000_000
/** How far it reaches beyond each edge of the frame at most, in sides of the frame. */
const reachMax = 1

/**
 * Draws the wide frame of a view, given as the place in the picture that each place of the frame shows. `area` is where the
 * frame lies in it, in its pixels; null where the frame reaches beyond the picture. It stays in the kernel's memory.
 */
export function drawWideFrame(
  kernel: Kernel,
  pixels: Pixels,
  view: Warp,
  frame: Size,
): { drawn: Picture; area: Area } | null {
  const reach = reachOf(view, frame, pixels)
  if (!reach) return null
  const detail = detailOf(view, frame)
  const whole = { width: frame.width + reach.left + reach.right, height: frame.height + reach.top + reach.bottom }
  const fits = (finer: number) =>
    finer < detail * finerThanDetail &&
    whole.width * whole.height * finer ** 2 <= pixelsMax &&
    (frame.width * finer) % 2 === 0 &&
    (frame.height * finer) % 2 === 0
  const finer = finerChoices.find(fits) ?? 1
  const area = { x: reach.left, y: reach.top, ...frame }
  for (const side of ['x', 'y', 'width', 'height'] as const) area[side] *= finer
  const wide = { width: whole.width * finer, height: whole.height * finer }
  const seen: Warp = (x, y, to) => view((x - area.x) / finer, (y - area.y) / finer, to)

  const part = partSeen(seen, wide, pixels)
  const kept = Math.min(1, (1.2 * finer) / detail)
  const size = { width: Math.ceil(part.width * kept), height: Math.ceil(part.height * kept) }
  const source = toPicture(kernel, cutPixels(kernel, pixels, part, size), wide)
  const drawn = allocatePicture(kernel, wide.width, wide.height)
  const grid = allocateGrid(kernel, wide)
  const [toSourceX, toSourceY] = [source.width / part.width, source.height / part.height]
  fillGrid(kernel, grid, source, (x, y, to) => {
    seen(x, y, to)
    to[0] = (to[0]! - part.x) * toSourceX
    to[1] = (to[1]! - part.y) * toSourceY
  })
  drawPicture(kernel, grid, source, drawn)
  return { drawn, area }
}

/** How much further the frame could reach to each side without leaving the picture, in pixels of the frame. */
function reachOf(view: Warp, frame: Size, picture: Size): Slack | null {
  const at = new Float64Array(2)
  const inside = (x: number, y: number) => {
    view(x, y, at)
    return Math.max(-at[0]!, -at[1]!, at[0]! - picture.width, at[1]! - picture.height) < 0.1
  }
  const edges = { left: 0, top: 0, right: frame.width, bottom: frame.height }
  const keepsInside = () => {
    const { left, top, right, bottom } = edges
    return shares.every((share) => {
      const [x, y] = [left + share * (right - left), top + share * (bottom - top)]
      return inside(x, top) && inside(x, bottom) && inside(left, y) && inside(right, y)
    })
  }
  if (!keepsInside()) return null
  for (const side of ['left', 'right', 'top', 'bottom'] as const) {
    const from = edges[side]
    const most =
      (from === 0 ? -reachMax : reachMax) * (side === 'left' || side === 'right' ? frame.width : frame.height)
    let [least, step] = [0, 1]
    for (let round = 0; round < 10; round++, step /= 2) {
      edges[side] = from + most * Math.min(1, least + step)
      if (keepsInside()) least = Math.min(1, least + step)
    }
    edges[side] = from + most * least
  }
  const { left, top, right, bottom } = edges
  const multiple = (length: number) => 4 * Math.floor(length / 4)
  return {
    left: multiple(-left),
    top: multiple(-top),
    right: multiple(right - frame.width),
    bottom: multiple(bottom - frame.height),
  }
}

/** Places along an edge at which it is checked. */
const shares = Array.from({ length: 17 }, (_, i) => i / 16)

/** How many pixels of the picture a pixel in the middle of the frame shows, along a side. */
function detailOf(view: Warp, { width, height }: Size): number {
  const [from, to] = [new Float64Array(2), new Float64Array(2)]
  view(width * 0.4, height / 2, from)
  view(width * 0.6, height / 2, to)
  return Math.hypot(to[0]! - from[0]!, to[1]! - from[1]!) / (width * 0.2)
}

/** The part of the picture that a frame shows, in whole pixels. */
function partSeen(seen: Warp, { width, height }: Size, picture: Size): Area {
  const at = new Float64Array(2)
  const [xs, ys]: [number[], number[]] = [[], []]
  for (const across of shares) {
    for (const down of shares) {
      seen(across * width, down * height, at)
      xs.push(at[0]!)
      ys.push(at[1]!)
    }
  }
  const [x, y] = [Math.max(0, Math.floor(Math.min(...xs)) - 2), Math.max(0, Math.floor(Math.min(...ys)) - 2)]
  const right = Math.min(picture.width, Math.ceil(Math.max(...xs)) + 2)
  const bottom = Math.min(picture.height, Math.ceil(Math.max(...ys)) + 2)
  return { x, y, width: right - x, height: bottom - y }
}
