// What effects draw of smooth things: drifting banks, light and shade around a place, beams, plumes. A pass declares what it
// is made of; the kernel draws it at half the frame's size.

import type { Kernel, Plane } from '../../../video/kernel/kernel.ts'
import type { Air, Pass, View } from './effect-scene.ts'
import { cloudNoise } from './noise.ts'
import { floatTable, shareTable } from './passes.ts'
import type { Place } from './picture-light.ts'

/** A share of what is drawn for each level of a map, 0 to 1, and the one where nothing is known. */
export interface ByMap {
  map: View
  share(level: number): number
  unknown: number
}

/** The map and the address of its shares; a map that is not known is the same everywhere. */
function tabled(
  { kernel, half }: Air,
  { map, share, unknown }: ByMap,
): () => [map: number, stride: number, table: number] {
  const flat = kernel.plane(half.width, half.height, 0)
  kernel.bytes(flat.at, flat.stride * flat.height).fill(0)
  const [known, even] = [shareTable(kernel, share), shareTable(kernel, () => unknown)]
  return () => {
    const own = map.now()
    return own ? [own.at, own.stride, known] : [flat.at, flat.stride, even]
  }
}

/** Always the same, everywhere. */
export const everywhere: ByMap = { map: { now: () => null, at: () => null }, share: () => 1, unknown: 1 }
export const nowhere: ByMap = { ...everywhere, unknown: 0 }

/** The noise that all banks and folds are made of, once for each effect. */
function noiseOf(kernel: Kernel): number {
  const noise = cloudNoise()
  return floatTable(kernel, noise.length, (i) => noise[i]!)
}

/** A layer of noise: tiles across the frame's height, how much flatter it is than wide, its pace in pixels of it per second. */
interface Banks {
  size: number
  flat: number
  pace: readonly [across: number, down: number]
  weight: number
}

interface Field {
  layers: readonly [Banks, Banks]
  /** How dense it is where there is no bank. */
  base: number
  by: ByMap
  /** A level of 0 to 255 at a share of the frame's height. */
  most(down: number, level: number): number
}

/** Banks of fog or sand that drift. */
export function field(air: Air, { layers, base, by, most }: Field): Pass {
  const { kernel, half } = air
  const noise = noiseOf(kernel)
  const shares = tabled(air, by)
  const [rows, numbers, lines] = [4 * half.height, 64, 4 * half.width + 32].map(kernel.allocate) as [
    number,
    number,
    number,
  ]
  return (second, level) => {
    const of = layers.flatMap(({ size, flat, pace }, i) => {
      return [second * pace[0], second * pace[1] + 90 * i, size / half.height, (size * flat) / half.height]
    })
    kernel.floats(numbers, 11).set([...of, base, ...layers.map(({ weight }) => weight)])
    const all = kernel.floats(rows, half.height)
    for (let row = 0; row < half.height; row++) all[row] = most(row / half.height, level)
    air.veil.drawHalf(({ at, stride, width, height }) => {
      kernel.field(at, stride, width, height, ...shares(), rows, noise, numbers, lines)
    })
  }
}

const ringSteps = 512

/** A falloff by distance, up to two units. */
export function rings(kernel: Kernel, light: (distance: number) => number): number {
  return floatTable(kernel, 2 * ringSteps, (i) => light(i / ringSteps))
}

/** One of two lights around a place: how it falls off with the distance, and where it shows. */
interface Glare {
  light(distance: number): number
  by: ByMap
}

interface Shade {
  layer: 'veil' | 'glow'
  lights: readonly Glare[]
  /** The unit of distances in the frame's width, and in its height. */
  unit: readonly [width: number, height: number]
  /** A light along a row of the frame, by the distance from the middle in the frame's height, and across by its width. */
  streak?: { down(distance: number): number; across(distance: number): number }
}

/** Light or shade: `middle` is where it is now, `share` how strong. */
export function shade(air: Air, { layer, lights, unit, streak }: Shade) {
  const { kernel, half } = air
  const [first, second] = [0, 1].map((i) => {
    const { light, by } = lights[i] ?? { light: () => 0, by: nowhere }
    return { shares: tabled(air, by), rings: rings(kernel, light) }
  }) as [Ringed, Ringed]
  const [rows, columns] = [kernel.allocate(16 * half.height), kernel.allocate(4 * half.width)]
  return (middle: (down: number) => Place, share: (down: number) => number) => {
    const own = kernel.floats(rows, 4 * half.height)
    const across = middle(0)
    for (let row = 0; row < half.height; row++) {
      const down = row / half.height
      const at = middle(down)
      const away = down - at.y
      const light = share(down)
      own.set([at.x * half.width, (away / unit[1]) ** 2, light, light * (streak?.down(Math.abs(away)) ?? 0)], 4 * row)
    }
    const line = kernel.floats(columns, half.width)
    for (let column = 0; column < half.width; column++) {
      line[column] = streak?.across(Math.abs(column / half.width - across.x)) ?? 0
    }
    air[layer].drawHalf(({ at, stride, width, height }) => {
      const [of, then] = [first.shares(), second.shares()]
      const scale = 1 / (unit[0] * half.width)
      const root = layer === 'glow' ? 1 : 0
      const drawn = [at, stride, width, height, scale, ...of, first.rings, ...then, second.rings] as const
      kernel.shade(...drawn, rows, columns, root)
    })
  }
}

interface Ringed {
  shares: ReturnType<typeof tabled>
  rings: number
}

interface Beams {
  /** What of the picture sends out light, and how beams are broken up by their angle (0 to 1 of a turn) at a moment. */
  source: ByMap
  shaft(turn: number, second: number): number
  /** How bright a beam is by how much light it gathers, how it falls off with the distance in diagonals, and what shows it. */
  curve(gathered: number): number
  falls(distance: number): number
  bloom(distance: number): number
  open: readonly [ByMap, ByMap]
}

/** How far along its way from the light a beam is gathered, and how much of what is there; in so many doublings of a step. */
const gathering = { reach: 0.72, rest: 0.3, doublings: 7 }
const angleSteps = 1024

/** What is bright, smeared away from a light: trunks and roofs cut the beams. */
export function beams(air: Air, { source, shaft, curve, falls, bloom, open }: Beams) {
  const { kernel, half } = air
  // Beams are smooth: a quarter of the frame's size is enough.
  const [width, height] = [half.width >> 1, half.height >> 1]
  const [gathered, other] = [0, 1].map(() => kernel.allocate(4 * width * height)) as [number, number]
  const angles = kernel.allocate(4 * angleSteps)
  const shares = [source, ...open].map((by) => tabled(air, by)) as [Shares, Shares, Shares]
  const curveAt = floatTable(kernel, 1024, (i) => curve(i / 1023))
  const [fallsAt, bloomAt] = [rings(kernel, falls), rings(kernel, bloom)]
  const { doublings } = gathering
  const ofStep = (all: number) => all ** (1 / 2 ** doublings)
  const [reach, rest] = [1 - ofStep(1 - gathering.reach), ofStep(gathering.rest)]
  let brightest = 1e-6
  return (second: number, sun: Place) => {
    const [x, y] = [sun.x * width, sun.y * height]
    const table = kernel.floats(angles, angleSteps)
    for (let i = 0; i < angleSteps; i++) table[i] = shaft(i / angleSteps, second)
    const planes = [gathered, other, width, height, x, y] as const
    const peak = kernel.smear(...planes, ...shares[0](), angles, doublings, reach, rest)
    brightest = Math.max(brightest, peak)
    air.glow.drawHalf(({ at, stride, width, height }: Plane) => {
      const of = [gathered, x, y, brightest, curveAt, fallsAt, bloomAt] as const
      kernel.shine(at, stride, width, height, ...of, ...shares[1](), ...shares[2]())
    })
  }
}

type Shares = ReturnType<typeof tabled>

/** Puffs that lie over each other and are lit from above: `list` has ten floats for each, as assembly/field.ts says. */
export function plume(air: Air, { by, folds, most }: { by: ByMap; folds: number; most: number }) {
  const { kernel, half } = air
  const noise = noiseOf(kernel)
  const thick = kernel.allocate(4 * half.width * half.height)
  const shares = tabled(air, by)
  const step = Math.max(1, Math.round(half.height / 90))
  return (list: number[], level: number) => {
    kernel.bytes(thick, 4 * half.width * half.height).fill(0)
    const mark = kernel.mark()
    const puffs = kernel.allocate(4 * list.length + 4)
    kernel.floats(puffs, list.length).set(list)
    kernel.puffs(thick, half.width, half.height, puffs, list.length / 10, noise)
    kernel.release(mark)
    air.veil.drawHalf((veil) => {
      air.glow.drawHalf((glow) => {
        const drawn = [thick, half.width, half.height, veil.at, glow.at, veil.stride] as const
        kernel.plume(...drawn, ...shares(), step, folds, most * level)
      })
    })
  }
}
