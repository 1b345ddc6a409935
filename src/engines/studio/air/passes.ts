// What effects draw of single things: drops, flakes, sparks, bubbles, leaves. A pass declares how many there are, how they
// look, and where each of them is at a moment; the kernel draws them.

import type { Kernel } from '../../../video/kernel/kernel.ts'
import type { Air, EffectScene, Pass } from './effect-scene.ts'
import { makeParticles, type Particle } from './particles.ts'
import { behindPeople, besideFaces } from './people.ts'

/** A list of floats for the kernel, a few per thing. */
type Shape = 'discs' | 'halos' | 'streaks' | 'lensDiscs' | 'bubbles' | 'blades'
const floatsOf: Record<Shape, number> = { discs: 5, halos: 4, streaks: 6, lensDiscs: 5, bubbles: 6, blades: 11 }

interface Particles {
  count: number
  /** Keeps effects of one shot apart. */
  salt: number
  /** Blades are drawn into both. */
  layer: 'veil' | 'glow' | 'both'
  /**
   * Draws one of them: `put` takes the numbers of its shape, as assembly/sprites.ts has them. Where it is in front of people
   * is decided for it; `shown` says how much of it is in front of what the frame shows at a pixel.
   */
  draw(particle: Particle, at: Moment): void
}

export interface Moment {
  second: number
  level: number
  /** How much of something at a nearness shows before what the frame shows at a pixel, times the level. */
  shown(x: number, y: number, near: number): number
  put(shape: Shape, ...numbers: number[]): void
}

/** In front of people are only few, and of those only small ones: nearer ones are out of focus, and large. */
const frontShare = 0.5
const frontNear: readonly [number, number] = [0.15, 0.7]

const isInFront = ({ near, a }: Particle) => a < frontShare && near > frontNear[0] && near < frontNear[1]

/** Things that move one by one: most of them behind people, a few small ones before them, none before a face. */
export function particles({ air, seed, strength }: EffectScene, { count, salt, layer, draw }: Particles): Pass {
  const all = makeParticles(Math.round(count * strength), seed ^ salt)
  const [front, behind] = [all.filter(isInFront), all.filter((particle) => !isInFront(particle))]
  const lists = new Map<Shape, number[]>()
  const spared = shareTable(air.kernel, behindPeople)
  const put = (shape: Shape, ...numbers: number[]) => {
    const list = lists.get(shape)
    if (list) list.push(...numbers)
    else lists.set(shape, numbers)
  }
  const flush = () => {
    for (const [shape, list] of lists) drawSprites(air, layer, shape, list)
    lists.clear()
  }
  return (second, level) => {
    const shown = (x: number, y: number, near: number) => level * visibility(air, x, y, near)
    for (const particle of behind) draw(particle, { second, level, shown, put })
    flush()
    const people = air.people.now()
    if (people) hideBehind(air, layer, spared)
    const beside = (x: number, y: number, near: number) => shown(x, y, near) * besideFaces(air.people.at(x, y) ?? 0)
    for (const particle of front) draw(particle, { second, level, shown: beside, put })
    flush()
  }
}

function hideBehind(air: Air, layer: Particles['layer'], table: number): void {
  const people = air.people.now()!
  for (const own of layer === 'both' ? [air.veil, air.glow] : [air[layer]]) {
    const { at, stride, width, height } = own.open()
    air.kernel.hide(at, stride, width, height, people.at, people.stride, table)
  }
}

/** Draws a list of things of one shape. */
export function drawSprites(air: Air, layer: Particles['layer'], shape: Shape, list: number[]): void {
  const { kernel } = air
  const mark = kernel.mark()
  const address = kernel.allocate(4 * list.length)
  kernel.floats(address, list.length).set(list)
  const { at, stride, width, height } = air[layer === 'both' ? 'veil' : layer].open()
  const drawn = [stride, width, height, address, list.length / floatsOf[shape]] as const
  if (shape === 'blades') kernel.blades(at, air.glow.open().at, ...drawn)
  else kernel[shape](at, ...drawn)
  kernel.release(mark)
}

/** Whether something at a nearness is in front of what the frame shows there: 1 in front, 0 behind, soft between. */
export function visibility(air: Air, x: number, y: number, own: number): number {
  const behind = air.near.at(x, y)
  if (behind === null) return 1
  // Air in front of everything is never empty: even the farthest are hidden by near things only.
  return Math.min(1, Math.max(0, (own + 0.75 - behind) * 4))
}

/** A share for each of 256 levels, in the kernel's memory; `share` takes 0 to 1. */
export function shareTable(kernel: Kernel, share: (level: number) => number): number {
  return floatTable(kernel, 256, (i) => share(i / 255))
}

export function floatTable(kernel: Kernel, count: number, value: (i: number) => number): number {
  const at = kernel.allocate(4 * count)
  const floats = kernel.floats(at, count)
  for (let i = 0; i < count; i++) floats[i] = value(i)
  return at
}
