// The planes that the air is made of, and the maps of the picture as the frame shows it now. Both are smooth: they are drawn
// at half the frame's size.

import { enlargeHalf, type Half, halfOf, type Kernel, type Plane, repeatEdges } from '../../../video/kernel/kernel.ts'
import { drawHalf } from '../../../video/picture/grid.ts'
import type { Luma } from '../../../video/picture/luma.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import { allocatePicture, lumaPad } from '../../../video/picture/picture-planes.ts'
import { fillScaled } from '../../../video/picture/source-picture.ts'
import { cutMap } from '../relief/cut-window.ts'
import type { RequestPicture } from '../request-picture.ts'
import type { ShotScene } from '../scene-builder.ts'
import type { Layer, View } from './effect-scene.ts'

/** A plane of a picture's size that is known to be empty until something is drawn into it. */
export interface AirLayer extends Layer {
  /** Its address, or 0 while it is empty. */
  at(): number
  stride: number
  open(): Plane
  /** Remembers what is far, by the nearness of a plane of half size. */
  keepFar(near: Plane | null): void
  /** Brings it towards a full veil, up to a level of 0 to 255 at the farthest of what was remembered. */
  setFar(level: number): void
}

export function openLayer(kernel: Kernel, frame: Size): AirLayer {
  const plane = kernel.plane(frame.width, frame.height, 0)
  const far = kernel.plane(frame.width, frame.height, 0)
  const half: Half = halfOf(kernel, plane)
  const rowOf = (level: number) => {
    // Repeated, one row serves as a whole plane.
    const row = kernel.allocate(frame.width + 16)
    kernel.bytes(row, frame.width + 16).fill(level)
    return row
  }
  const [nothing, all] = [rowOf(0), rowOf(255)]
  let empty = true
  const open = () => {
    if (empty) kernel.bytes(plane.at, plane.stride * plane.height).fill(0)
    empty = false
    return plane
  }
  return {
    stride: plane.stride,
    at: () => (empty ? 0 : plane.at),
    open,
    clear() {
      empty = true
    },
    drawHalf(draw) {
      draw(half.plane)
      repeatEdges(kernel, half.plane)
      enlargeHalf(kernel, plane, half)
      empty = false
    },
    keepFar(near) {
      const { at, stride, width, height, pad } = half.plane
      kernel.bytes(at - pad * stride - pad, stride * (height + 2 * pad)).fill(255)
      if (near) kernel.over(at, stride, nothing, 0, near.at, near.stride, width, height, 32_767)
      repeatEdges(kernel, half.plane)
      enlargeHalf(kernel, far, half)
    },
    setFar(level) {
      open()
      const opacity = Math.round((level / 255) * 32_767)
      kernel.over(plane.at, plane.stride, all, 0, far.at, far.stride, frame.width, frame.height, opacity)
    },
  }
}

export interface AirView extends View {
  /** Of the whole source; null where nothing is known. */
  source: Plane | null
  /** The camera has moved on. */
  forget(): void
}

/** A map of the picture as the frame shows it. Drawn when an effect asks for it: few effects look at more than one. */
export function openView(
  kernel: Kernel,
  map: Luma | null,
  still: RequestPicture,
  scene: ShotScene,
  half: Size,
): AirView {
  const source = sourceMap(kernel, map, still, scene)
  const seen = source && kernel.plane(half.width, half.height, 0)
  /** How many times the camera has moved on since it was drawn. */
  let behind = Number.POSITIVE_INFINITY
  const within = (behindMax: number) => {
    if (!source || !scene.grid) return null
    if (behind > behindMax) {
      drawHalf(kernel, scene.grid, source, seen!)
      behind = 0
    }
    return seen
  }
  return {
    source,
    forget() {
      behind++
    },
    now: () => within(0),
    at(x, y) {
      const plane = within(3)
      if (!plane) return null
      const column = Math.min(half.width - 1, Math.max(0, x >> 1))
      const row = Math.min(half.height - 1, Math.max(0, y >> 1))
      return kernel.bytes(plane.at, plane.stride * half.height)[row * plane.stride + column]! / 255
    },
  }
}

/** A map of the picture in the shape of the chroma that the scene draws from, so that the scene's grid fits it. */
function sourceMap(kernel: Kernel, map: Luma | null, still: RequestPicture, scene: ShotScene): Plane | null {
  if (!map || !scene.source) return null
  const { picture, part } = scene.source
  const cut = cutMap(map, still.pixels, part, 480)
  const plane = allocatePicture(kernel, picture.width, picture.height, lumaPad).u
  const levels = new Uint8ClampedArray(cut.data.map((value) => 255 * value))
  fillScaled(kernel, plane, new Uint8Array(levels.buffer), cut)
  return plane
}
