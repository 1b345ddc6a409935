// The air between camera and picture: planes of veil and glow in the size of the frame, what is known of the picture behind
// them, and how they are laid over a frame. It owns memory and compositing; the effects draw into it.

import type { Kernel, Plane } from '../../../video/kernel/kernel.ts'
import { allocateGrid, drawHalf, drawWhole, fillGrid, type Grid, homographyWarp } from '../../../video/picture/grid.ts'
import type { Luma } from '../../../video/picture/luma.ts'
import { allocatePicture, lumaPad, type Picture } from '../../../video/picture/picture-planes.ts'
import { fillScaled } from '../../../video/picture/source-picture.ts'
import { cutMap } from '../relief/cut-window.ts'
import type { ShotScene } from '../scene-builder.ts'
import type { Still } from '../still.ts'
import type { Colour, Mood } from './mood.ts'
import { emissionOf } from './picture-light.ts'
import { drawPoints, type Point } from './points.ts'

export interface Air {
  width: number
  height: number
  /** Half the frame's size: what smooth effects are drawn at. */
  half: { width: number; height: number }
  /** Nearness and sky of what the frame shows now, 0..255, at half size; null where nothing is known. */
  near: Uint8Array | null
  sky: Uint8Array | null
  /** How much light what the frame shows sends out: bright and far. */
  bright: Uint8Array | null
  /** The sky of the whole source. */
  sourceSky: Luma | null
  /** Draws a map of half size as the veil or the glow of the frame; a null map clears it. */
  setVeil(map: Uint8Array | null): void
  setGlow(map: Uint8Array | null): void
  /** A plane of the source's size with points of light, and its drawing as the glow of what the frame shows now. */
  pointPlane(points: Point[]): Plane | null
  setGlowFrom(plane: Plane | null): void
  /** The planes themselves, for what is finer than half size; rows are `stride` bytes apart. */
  veil(): Uint8Array
  glow(): Uint8Array
  stride: number
  /** Looks at what the scene has just drawn. */
  follow(): void
  apply(frame: Picture, mood: Mood): void
}

/** What an effect may know of its shot. */
export interface EffectScene {
  air: Air
  seed: number
  strength: number
  seconds: number
  /** The picture's own light, linear. */
  ambient: Colour
  /** Where the light comes from, and where steam rises, in shares of the frame. */
  sun: { x: number; y: number }
  origin: { x: number; y: number; width: number }
  /** Whether the picture is dark, or will be. */
  night: boolean
}

/** Draws an effect's air at a second, at a level from 0 to 1, and returns how it lights the frame. */
export type AirDrawing = (second: number, level: number) => Mood

export async function openAir(kernel: Kernel, frame: Picture, still: Still, scene: ShotScene): Promise<Air> {
  const half = { width: frame.width / 2, height: frame.height / 2 }
  const veil = kernel.plane(frame.width, frame.height, 0)
  const glow = kernel.plane(frame.width, frame.height, 0)
  const small = kernel.plane(half.width, half.height, lumaPad / 2)
  const colours = kernel.allocate(64)
  const enlarge = allocateGrid(kernel, frame)
  fillGrid(kernel, enlarge, { y: small, u: small }, homographyWarp([0.5, 0, 0, 0, 0.5, 0, 0, 0, 1]))
  const near = await sourceMap(kernel, still.sight?.depth ?? null, still, scene)
  const sky = await sourceMap(kernel, still.sight?.sky ?? null, still, scene)
  const emitted = await sourceMap(kernel, still.sight && emissionOf(still.sight), still, scene)
  const seen = kernel.plane(half.width, half.height, 0)
  const bytesOf = (plane: Plane) => kernel.bytes(plane.at, plane.stride * plane.height)
  const drawn = (map: Plane | null, grid: Grid | undefined): Uint8Array | null => {
    if (!map || !grid) return null
    drawHalf(kernel, grid, map, seen)
    const packed = new Uint8Array(half.width * half.height)
    const from = bytesOf(seen)
    for (let row = 0; row < half.height; row++) {
      packed.set(from.subarray(row * seen.stride, row * seen.stride + half.width), row * half.width)
    }
    return packed
  }
  const set = (plane: Plane, map: Uint8Array | null) => {
    if (!map) {
      bytesOf(plane).fill(0)
      return
    }
    const origin = small.at - small.pad * small.stride - small.pad
    const all = kernel.bytes(origin, small.stride * (half.height + 2 * small.pad))
    for (let row = -1; row <= half.height; row++) {
      const from = Math.min(Math.max(row, 0), half.height - 1) * half.width
      const at = (row + small.pad) * small.stride + small.pad
      all.set(map.subarray(from, from + half.width), at)
      all[at - 1] = map[from]!
      all[at + half.width] = map[from + half.width - 1]!
    }
    drawWhole(kernel, enlarge, small, plane)
  }
  const air: Air = {
    width: frame.width,
    height: frame.height,
    half,
    near: null,
    sky: null,
    bright: null,
    sourceSky: still.sight?.sky && scene.source ? cutMap(still.sight.sky, still.pixels, scene.source.part, 480) : null,
    pointPlane(points) {
      return scene.source
        ? drawPoints(kernel, scene.source.picture, frame, scene.source.part, scene.area, points)
        : null
    },
    setGlowFrom(plane) {
      if (plane && scene.grid) drawWhole(kernel, scene.grid, plane, glow)
      else set(glow, null)
    },
    setVeil: (map) => set(veil, map),
    setGlow: (map) => set(glow, map),
    veil: () => bytesOf(veil),
    glow: () => bytesOf(glow),
    stride: veil.stride,
    follow() {
      air.near = drawn(near, scene.grid)
      air.sky = drawn(sky, scene.grid)
      air.bright = drawn(emitted, scene.grid)
    },
    apply(to, mood) {
      kernel.floats(colours, 9).set([...mood.gain, ...mood.veil, ...mood.glow])
      const even = mood.gain.every((gain) => gain === 1) ? 1 : 0
      const { y, u, v } = to
      const planes = [y.at, y.stride, u.at, v.at, u.stride, to.width, to.height] as const
      kernel.light(...planes, veil.at, glow.at, veil.stride, colours, even)
    },
  }
  return air
}

/** A map of the picture in the shape of the chroma that the scene draws from, so that the scene's grid fits it. */
async function sourceMap(
  kernel: Kernel,
  map: { data: Float32Array; width: number; height: number } | null,
  still: Still,
  scene: ShotScene,
): Promise<Plane | null> {
  if (!map || !scene.source) return null
  const { picture, part } = scene.source
  const cut = cutMap(map, still.pixels, part, 480)
  const plane = allocatePicture(kernel, picture.width, picture.height, lumaPad).u
  const levels = Uint8Array.from(cut.data, (value) => Math.round(255 * Math.min(1, Math.max(0, value))))
  await fillScaled(kernel, plane, levels, cut)
  return plane
}
