// The air between camera and picture: a veil and a glow in the size of the frame, what is known about the picture behind
// them, and how they are laid over a frame.

import { type Kernel, repeatEdges } from '../../../video/kernel/kernel.ts'
import { drawWhole, framePosition, nodePosition } from '../../../video/picture/grid.ts'
import type { Picture } from '../../../video/picture/picture-planes.ts'
import { cutMap } from '../relief/cut-window.ts'
import type { RequestPicture } from '../request-picture.ts'
import type { ShotScene } from '../scene-builder.ts'
import type { Air } from './effect-scene.ts'
import { type AirLayer, openLayer, openView } from './layers.ts'
import type { Mood } from './mood.ts'
import { peopleIn } from './people.ts'
import { emissionOf, type Place } from './picture-light.ts'
import { drawPoints } from './points.ts'

/** The air that effects are drawn into, and what the layer of effects does with it. */
export interface OpenAir extends Air {
  /** Looks at what the scene has just drawn. */
  follow(): void
  apply(frame: Picture, mood: Mood): void
}

/** `seen` says which maps besides the nearness are looked at; the others are null. */
export function openAir(
  kernel: Kernel,
  frame: Picture,
  still: RequestPicture,
  scene: ShotScene,
  seen: { sky: boolean; bright: boolean },
): OpenAir {
  const half = { width: frame.width / 2, height: frame.height / 2 }
  const veil = openLayer(kernel, frame)
  const glow = openLayer(kernel, frame)
  const colours = kernel.allocate(64)
  const { analysis } = still
  const view = (map: Parameters<typeof openView>[1]) => openView(kernel, map, still, scene, half)
  const near = view(analysis?.depth ?? null)
  const sky = view((seen.sky && analysis?.sky) || null)
  const bright = view(seen.bright && analysis ? emissionOf(analysis) : null)
  const people = view(analysis && peopleIn(analysis))
  const views = [near, sky, bright, people]
  /** Whether the veil's layer knows what is far now. */
  let farKept = false
  const looked = new Float64Array(2 * marks.length).fill(Number.NaN)

  function light(
    { y, u, v, width, height }: Picture,
    mood: Mood,
    layers: { veil: AirLayer; glow: AirLayer | null },
  ): void {
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
    kernel,
    width: frame.width,
    height: frame.height,
    half,
    scale: frame.height / 720,
    veil,
    glow,
    near,
    sky,
    bright,
    people,
    clear() {
      veil.clear()
      glow.clear()
    },
    ofSource: (map) => (scene.source ? cutMap(map, still.pixels, scene.source.part, 480) : null),
    pointPlane(points) {
      return scene.source
        ? drawPoints(kernel, scene.source.picture, frame, scene.source.part, scene.area, points)
        : null
    },
    setGlowFrom(plane) {
      if (plane && scene.grid) drawWhole(kernel, scene.grid, plane, glow.open())
      else glow.clear()
    },
    setMist(most) {
      if (!farKept) veil.keepFar(near.now())
      farKept = true
      veil.setFar(mistLevel(most))
    },
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
      for (const view of views) view.forget()
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
