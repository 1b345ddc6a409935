// What film and tape do to a finished frame. A look declares which passes it is made of; the kernel draws them in place.

import { framesPerSecond } from '../../../video/av/timing.ts'
import type { Kernel, Plane } from '../../../video/kernel/kernel.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import type { Picture } from '../../../video/picture/picture-planes.ts'
import { makeGrain } from './grain.ts'

export interface FilmMoment {
  second: number
  /** 0 to 1 as the look comes up. */
  level: number
  strength: number
  /** Seconds until the clip ends. */
  left: number
}

export type Look = (frame: Picture, moment: FilmMoment) => void

export interface LookSetup {
  kernel: Kernel
  frame: Size
  seed: number
  /** How long it plays, with what it has played in the video before. */
  seconds: number
}

/** The levels of black and of no colour. */
export const black = 16
export const grey = 128

export const frameNumber = (second: number) => Math.round(second * framesPerSecond)

/** A part of a plane as the kernel takes it. */
export function rowsOf({ at, stride, width }: Plane, from: number, rows: number) {
  return [at + from * stride, stride, width, rows] as const
}

const whole = (plane: Plane) => rowsOf(plane, 0, plane.height)

/** Replaces every level of a plane by what `level` makes of it. */
export function mapLevels({ kernel }: LookSetup): (plane: Plane, level: (from: number) => number) => void {
  const table = kernel.allocate(256)
  return (plane, level) => {
    const levels = kernel.bytes(table, 256)
    for (let from = 0; from < 256; from++) levels[from] = Math.round(Math.min(255, Math.max(0, level(from))))
    kernel.levels(...whole(plane), table)
  }
}

/** How much light a lens loses at its farthest corner, and how late. */
const edges = { most: 0.72, late: 1.6 }

/** Darkens the corners, up to a share of what a lens loses. */
export function shadeEdges({ kernel, frame: { width, height } }: LookSetup): (frame: Picture, share: number) => void {
  const map = kernel.plane(width, height, 0)
  const bytes = kernel.bytes(map.at, map.stride * height)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const away = ((column + 0.5) / width - 0.5) ** 2 + ((row + 0.5) / height - 0.5) ** 2
      bytes[row * map.stride + column] = 255 * edges.most * Math.min(1, 2 * away) ** edges.late
    }
  }
  return ({ y, u, v }, share) => {
    const own = Math.round(256 * share)
    kernel.fade(...whole(y), black, map.at, map.stride, 1, own)
    for (const plane of [u, v]) kernel.fade(...whole(plane), grey, map.at, map.stride, 2, own)
  }
}

/** The tile of grain, in the kernel's memory. */
export function grainTile({ kernel, seed }: LookSetup): number {
  const grain = makeGrain(seed)
  const at = kernel.allocate(grain.length)
  kernel.bytes(at, grain.length).set(new Uint8Array(grain.buffer))
  return at
}

/** The tone in which grain is strongest, how far from it there is none, and its deviation at full strength. */
const grainTone = { middle: 120, reach: 150, most: 40 }

/** Adds grain, strongest in the middle tones, as on film. */
export function addGrain(setup: LookSetup): (frame: Picture, second: number, strength: number) => void {
  const { kernel } = setup
  const [tile, table] = [grainTile(setup), kernel.allocate(256)]
  return ({ y }, second, strength) => {
    const amounts = kernel.bytes(table, 256)
    for (let from = 0; from < 256; from++) {
      const tone = Math.max(0, 1 - ((from - grainTone.middle) / grainTone.reach) ** 2)
      amounts[from] = grainTone.most * strength * tone
    }
    const frame = frameNumber(second)
    kernel.grain(...whole(y), tile, (frame * 197) % 512, (frame * 331) % 512, table)
  }
}

const fadeSeconds = 1

/** Brings a frame towards black by how far in time black is. It leaves full light slowly and black at once: near black a slow fade shows as black frames. */
export function dim(setup: LookSetup): (frame: Picture, secondsFromBlack: number) => void {
  const map = mapLevels(setup)
  return ({ y, u, v }, seconds) => {
    const light = 1 - (1 - Math.min(1, Math.max(0, seconds / fadeSeconds))) ** 1.5
    if (light >= 1) return
    map(y, (from) => black + (from - black) * light)
    for (const plane of [u, v]) map(plane, (from) => grey + (from - grey) * light)
  }
}
