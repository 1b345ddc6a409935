// The air between camera and picture: planes of veil and glow in the size of the frame, what is known about the picture
// behind them, and how they are laid over a frame. It owns memory and compositing; the effects draw into it.

import {
  enlargeHalf,
  enlargeInto,
  halfOf,
  type Kernel,
  type Plane,
  readPlane,
  repeatEdges,
} from '../../../video/kernel/kernel.ts'
import { drawHalf, drawWhole, framePosition, nodePosition } from '../../../video/picture/grid.ts'
import type { Luma } from '../../../video/picture/luma.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import { allocatePicture, lumaPad, type Picture } from '../../../video/picture/picture-planes.ts'
import { fillScaled } from '../../../video/picture/source-picture.ts'
import { cutMap } from '../relief/cut-window.ts'
import type { ShotScene } from '../scene-builder.ts'
import type { Still } from '../still.ts'
import type { Air } from './effect-scene.ts'
import type { Mood } from './mood.ts'
import { emissionOf, type Place } from './picture-light.ts'
import { drawPoints } from './points.ts'

/** `seen` says which maps besides the nearness are looked at; the others are null. */
export async function openAir(
  kernel: Kernel,
  frame: Picture,
  still: Still,
  scene: ShotScene,
  seen: { sky: boolean; bright: boolean },
): Promise<Air> {
  const half = { width: frame.width / 2, height: frame.height / 2 }
  const veil = openLayer(kernel, frame)
  const glow = openLayer(kernel, frame)
  const colours = kernel.allocate(64)
  const { sight } = still
  const near = await openView(kernel, sight?.depth ?? null, still, scene, half)
  const sky = await openView(kernel, (seen.sky && sight?.sky) || null, still, scene, half)
  const bright = await openView(kernel, seen.bright && sight ? emissionOf(sight) : null, still, scene, half)
  /** Whether the veil's layer knows what is far now. */
  let farKept = false
  const looked = new Float64Array(2 * marks.length).fill(Number.NaN)

  function light({ y, u, v, width, height }: Picture, mood: Mood, layers: { veil: Layer; glow: Layer | null }): void {
    const even = mood.gain.every((gain) => gain === 1) ? 1 : 0
    const [veiled, glowing] = [layers.veil.at(), layers.glow?.at() ?? 0]
    if (even && !veiled && !glowing) return
    kernel.floats(colours, 9).set([...mood.gain, ...mood.veil, ...mood.glow])
    const planes = [y.at, y.stride, u.at, v.at, u.stride, width, height] as const
    kernel.light(...planes, veiled, glowing, layers.veil.stride, colours, even)
  }

  /** The level of a mist that is `most` at the farthest; where nothing is known, all is half as far. */
  const mistLevel = (most: number) => (near.source ? most : most / 2)

  function now({ x, y }: Place): Place {
    if (!scene.grid || !scene.source) return { x, y }
    const { picture, part } = scene.source
    const { area, grid } = scene
    const sourceX = ((area.x + x * area.width - part.x) / part.width) * picture.width
    const sourceY = ((area.y + y * area.height - part.y) / part.height) * picture.height
    const at = framePosition(kernel, grid, sourceX, sourceY)
    return { x: at.x / frame.width, y: at.y / frame.height }
  }

  return {
    width: frame.width,
    height: frame.height,
    half,
    get near() {
      return near.now()
    },
    get sky() {
      return sky.now()
    },
    get nearAbout() {
      return near.about()
    },
    get bright() {
      return bright.now()
    },
    ofSource: (map) => (scene.source ? cutMap(map, still.pixels, scene.source.part, 480) : null),
    pointPlane(points) {
      return scene.source
        ? drawPoints(kernel, scene.source.picture, frame, scene.source.part, scene.area, points)
        : null
    },
    setGlowFrom(plane) {
      if (plane && scene.grid) drawWhole(kernel, scene.grid, plane, glow.open())
      else glow.set(null)
    },
    setVeil: veil.set,
    setMist(most) {
      if (!farKept) veil.keepFar(near.plane())
      farKept = true
      veil.setFar(mistLevel(most))
    },
    setGlow: glow.set,
    veil: veil.bytes,
    glow: glow.bytes,
    stride: veil.stride,
    now,
    follow() {
      if (!scene.grid || !scene.source) return
      const { columns, rows } = scene.grid
      const { picture, part } = scene.source
      const position = nodePosition(kernel, scene.grid)
      const pixel = (picture.width * scene.area.width) / part.width / frame.width
      const at = new Float64Array(2 * marks.length)
      for (const [i, share] of marks.entries()) {
        position(Math.floor(share * rows) * columns + Math.floor(share * columns), at.subarray(2 * i))
      }
      // Nothing has been looked at before the first frame.
      if (at.every((value, i) => Math.abs(value - looked[i]!) <= shiftMax * pixel)) return
      looked.set(at)
      farKept = false
      for (const view of [near, sky, bright]) view.forget()
    },
    apply: (to, mood) => light(to, mood, { veil, glow }),
    settle(mood, most) {
      if (!scene.source) return
      const { picture } = scene.source
      const mark = kernel.mark()
      const over = openLayer(kernel, picture)
      if (most > 0) {
        over.keepFar(near.source)
        over.setFar(mistLevel(most))
      }
      light(picture, mood, { veil: over, glow: null })
      for (const plane of [picture.y, picture.u, picture.v]) repeatEdges(kernel, plane)
      kernel.release(mark)
    },
  }
}

/**
 * Depth, sky and light are soft maps: they are redrawn once the camera has moved by this many pixels at one of these shares
 * of the frame's sides.
 */
const shiftMax = 1
const marks = [0.1, 0.9]

type Layer = ReturnType<typeof openLayer>

/** A plane of a picture's size that is known to be empty until something is drawn into it. */
function openLayer(kernel: Kernel, frame: Size) {
  const plane = kernel.plane(frame.width, frame.height, 0)
  const far = kernel.plane(frame.width, frame.height, 0)
  const half = halfOf(kernel, plane)
  // One row of 0 and one of 255: repeated, each serves as a whole plane.
  const [nothing, all] = [0, 255].map((level) => {
    const row = kernel.allocate(frame.width + 16)
    kernel.bytes(row, frame.width + 16).fill(level)
    return row
  }) as [number, number]
  let empty = true
  const open = () => {
    empty = false
    return plane
  }
  const content = () => kernel.bytes(plane.at, plane.stride * plane.height)
  return {
    stride: plane.stride,
    open,
    /** Its address, or 0 while it is empty. */
    at: () => (empty ? 0 : plane.at),
    set(map: Uint8Array | null) {
      if (map) enlargeInto(kernel, open(), map, half)
      else empty = true
    },
    /** Remembers what is far, by the nearness of a plane of half size. */
    keepFar(near: Plane | null) {
      const { at, stride, width, height, pad } = half.plane
      kernel.bytes(at - pad * stride - pad, stride * (height + 2 * pad)).fill(255)
      if (near) kernel.over(at, stride, nothing, 0, near.at, near.stride, width, height, 32_767)
      repeatEdges(kernel, half.plane)
      enlargeHalf(kernel, far, half)
    },
    /** A level of 0 to 255 at the farthest of what was remembered, less of it nearer. */
    setFar(level: number) {
      open()
      content().fill(0)
      const opacity = Math.round((level / 255) * 32_767)
      kernel.over(plane.at, plane.stride, all, 0, far.at, far.stride, frame.width, frame.height, opacity)
    },
    bytes() {
      if (empty) content().fill(0)
      open()
      return content()
    },
  }
}

/** A map of the picture as the frame shows it. Drawn when an effect asks for it: few effects look at more than one. */
async function openView(kernel: Kernel, map: Luma | null, still: Still, scene: ShotScene, half: Size) {
  const source = await sourceMap(kernel, map, still, scene)
  const seen = kernel.plane(half.width, half.height, 0)
  const packed = new Uint8Array(half.width * half.height)
  /** How many times the camera has moved on since it was drawn. */
  let behind = Number.POSITIVE_INFINITY
  const planeWithin = (behindMax: number) => {
    if (!source || !scene.grid) return null
    if (behind <= behindMax) return seen
    drawHalf(kernel, scene.grid, source, seen)
    readPlane(kernel, seen, packed)
    behind = 0
    return seen
  }
  return {
    forget() {
      behind++
    },
    plane: () => planeWithin(0),
    source,
    now: () => (planeWithin(0) ? packed : null),
    about: () => (planeWithin(3) ? packed : null),
  }
}

/** A map of the picture in the shape of the chroma that the scene draws from, so that the scene's grid fits it. */
async function sourceMap(kernel: Kernel, map: Luma | null, still: Still, scene: ShotScene): Promise<Plane | null> {
  if (!map || !scene.source) return null
  const { picture, part } = scene.source
  const cut = cutMap(map, still.pixels, part, 480)
  const plane = allocatePicture(kernel, picture.width, picture.height, lumaPad).u
  const levels = new Uint8ClampedArray(cut.data.map((value) => 255 * value))
  await fillScaled(kernel, plane, new Uint8Array(levels.buffer), cut)
  return plane
}
