// What film does to a finished frame: grain, lost colour, bars, fades. Sums on the frame's own planes.

import { framesPerSecond } from '../../../video/av/timing.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import type { Film, FilmMoment, Look, LookSetup } from './film.ts'
import { addGrain, makeGrain } from './grain.ts'

const fadeSeconds = 1

export const blackAndWhite = (): Look => withoutColour

export function vintage({ frame, seed }: LookSetup): Look {
  const edges = edgeShade(frame)
  const grain = makeGrain(seed)
  return (film, moment) => {
    age(film, moment.level)
    shadeEdges(film, edges, 0.6 * moment.level)
    addGrain(film, grain, moment, 0.6)
  }
}

export function grain({ seed }: LookSetup): Look {
  const own = makeGrain(seed)
  return (film, moment) => addGrain(film, own, moment, moment.strength)
}

export function vignette({ frame }: LookSetup): Look {
  const edges = edgeShade(frame)
  return (film, { level, strength }) => shadeEdges(film, edges, level * Math.min(1, 0.8 * strength))
}

export const letterbox = (): Look => bars

export const fadeIn =
  (): Look =>
  (film, { second }) =>
    dim(film, faded(second))

export const fadeOut =
  (): Look =>
  (film, { left }) =>
    dim(film, faded(left - 1 / framesPerSecond))

/**
 * How much light is left this far from black. It leaves the full light slowly and black at once: near black a slow fade
 * shows as black frames.
 */
function faded(seconds: number): number {
  return 1 - (1 - Math.min(1, Math.max(0, seconds / fadeSeconds))) ** 1.5
}

/** Replaces every level of a plane by the table's. */
function mapLevels(plane: Uint8Array, table: Uint8Array): void {
  for (let i = 0; i < plane.length; i++) plane[i] = table[plane[i]!]!
}

function tableOf(level: (from: number) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, from) => Math.round(Math.min(255, Math.max(0, level(from)))))
}

function withoutColour(film: Film, { level }: FilmMoment): void {
  const chroma = tableOf((from) => 128 + (from - 128) * (1 - level))
  mapLevels(film.u, chroma)
  mapLevels(film.v, chroma)
  // A little more contrast makes up for the colour.
  mapLevels(
    film.y,
    tableOf((from) => from + 9 * level * Math.sin(((from - 126) / 110) * Math.PI) * (from < 16 || from > 235 ? 0 : 1)),
  )
}

/** Faded colours: blacks lifted, whites warm, less saturation. */
function age(film: Film, level: number): void {
  mapLevels(
    film.y,
    tableOf((from) => from + level * (20 * (1 - from / 235) ** 2 - 8 * (from / 235) ** 2)),
  )
  mapLevels(
    film.u,
    tableOf((from) => 128 + (from - 128) * (1 - 0.4 * level) - 9 * level),
  )
  mapLevels(
    film.v,
    tableOf((from) => 128 + (from - 128) * (1 - 0.3 * level) + 6 * level),
  )
}

/** How much light a lens loses at each place, 0 to 255. */
function edgeShade({ width, height }: Size): Uint8Array {
  const shade = new Uint8Array(width * height)
  for (let row = 0, i = 0; row < height; row++) {
    const y = (row + 0.5) / height - 0.5
    for (let column = 0; column < width; column++, i++) {
      const x = (column + 0.5) / width - 0.5
      const away = Math.min(1, (x * x + y * y) * 2)
      shade[i] = 255 * 0.72 * away ** 1.6
    }
  }
  return shade
}

function shadeEdges({ y, u, v, width, height, stride, chromaStride }: Film, shade: Uint8Array, strength: number): void {
  const share = Math.round(256 * strength)
  for (let row = 0, i = 0; row < height; row++) {
    for (let at = row * stride; at < row * stride + width; at++, i++) {
      y[at] = y[at]! - (((y[at]! - 16) * shade[i]! * share) >> 16)
    }
  }
  for (let row = 0; row < height / 2; row++) {
    for (let column = 0; column < width / 2; column++) {
      const own = shade[row * 2 * width + column * 2]! * share
      const at = row * chromaStride + column
      u[at] = u[at]! - (((u[at]! - 128) * own) >> 16)
      v[at] = v[at]! - (((v[at]! - 128) * own) >> 16)
    }
  }
}

const cinemaScope = 2.39
const barMax = 0.16

/** Black bars that close to the shape of cinema film. */
function bars({ y, u, v, width, height, stride, chromaStride }: Film, { level }: FilmMoment): void {
  const wanted = Math.max(0.06, (1 - width / height / cinemaScope) / 2)
  const rows = Math.round((Math.min(barMax, wanted) * height * level) / 2) * 2
  for (const [from, to] of [
    [0, rows],
    [height - rows, height],
  ] as const) {
    y.fill(16, from * stride, to * stride)
    for (const chroma of [u, v]) chroma.fill(128, (from / 2) * chromaStride, (to / 2) * chromaStride)
  }
}

/** Brings a frame towards black. */
function dim(film: Film, light: number): void {
  if (light >= 1) return
  mapLevels(
    film.y,
    tableOf((from) => 16 + (from - 16) * light),
  )
  const chroma = tableOf((from) => 128 + (from - 128) * light)
  mapLevels(film.u, chroma)
  mapLevels(film.v, chroma)
}
