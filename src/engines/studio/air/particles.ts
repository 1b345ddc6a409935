// Things that fall, rise or hang in the air, one by one: drops, flakes, embers, lights. Each has a place of its own at every
// moment, as a pure function of time, so that frames can be drawn in any order.

import type { Size } from '../../../video/picture/output-size.ts'
import { seededRandom } from '../../../video/random.ts'
import type { Air } from './effect-scene.ts'

export interface Particle {
  /** 0 to 1 over the frame's sides at second 0, before it has moved. */
  x: number
  y: number
  /** 0 (far) to 1 (near): size, speed and blur grow with it. */
  near: number
  /** Numbers of its own, 0 to 1. */
  a: number
  b: number
}

/** Particles of a kind, more of them far than near. */
export function makeParticles(count: number, seed: number): Particle[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => {
    const near = random() ** 2
    return { x: random(), y: random(), near, a: random(), b: random() }
  })
}

/** Whether something at a nearness is in front of what the frame shows there: 1 in front, 0 behind, soft between. */
export function visibility(air: Air, x: number, y: number, own: number): number {
  const near = air.nearAbout
  if (!near) return 1
  const column = Math.min(air.half.width - 1, Math.max(0, x >> 1))
  const row = Math.min(air.half.height - 1, Math.max(0, y >> 1))
  const behind = near[row * air.half.width + column]! / 255
  // Air in front of everything is never empty: even the farthest are hidden by near things only.
  return Math.min(1, Math.max(0, (own + 0.75 - behind) * 4))
}

/** The rows and columns of a plane that lie within a radius of a place. */
export function pixelsWithin({ width, height }: Size, x: number, y: number, radius: number) {
  return {
    left: Math.max(0, Math.floor(x - radius)),
    right: Math.min(width - 1, Math.ceil(x + radius)),
    top: Math.max(0, Math.floor(y - radius)),
    bottom: Math.min(height - 1, Math.ceil(y + radius)),
  }
}

/** A soft disc, added to a plane. Level is 0 to 255 in the middle; `hard` is the share of the radius that is full. */
export function disc(
  plane: Uint8Array,
  air: Air,
  x: number,
  y: number,
  radius: number,
  level: number,
  hard: number,
): void {
  if (level < 0.5) return
  const { left, right, top, bottom } = pixelsWithin(air, x, y, radius)
  const scale = 1 / radius
  const soft = 1 / Math.max(1 - hard, 1e-3)
  for (let row = top; row <= bottom; row++) {
    const dy = (row - y) * scale
    for (let column = left; column <= right; column++) {
      const dx = (column - x) * scale
      const distance = Math.sqrt(dx * dx + dy * dy)
      if (distance >= 1) continue
      const s = Math.min(1, (1 - distance) * soft)
      const at = row * air.stride + column
      const sum = plane[at]! + level * s * s * (3 - 2 * s)
      plane[at] = sum > 255 ? 255 : sum
    }
  }
}

/** A light's halo, added to a plane: it has no edge that could be seen. */
export function halo(plane: Uint8Array, air: Air, x: number, y: number, radius: number, level: number): void {
  const { left, right, top, bottom } = pixelsWithin(air, x, y, radius)
  const scale = 1 / (radius * radius)
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const rest = 1 - ((column - x) ** 2 + (row - y) ** 2) * scale
      if (rest <= 0) continue
      const at = row * air.stride + column
      const sum = plane[at]! + level * rest ** 5
      plane[at] = sum > 255 ? 255 : sum
    }
  }
}

/** A streak from (x, y) along (dx, dy), thin and soft at both ends. */
export function streak(
  plane: Uint8Array,
  air: Air,
  x: number,
  y: number,
  dx: number,
  dy: number,
  thickness: number,
  level: number,
): void {
  if (level < 0.5) return
  const { width, height, stride } = air
  const reach = thickness / 2 + 0.5
  const slope = dx / dy
  const last = Math.min(height - 1, Math.floor(Math.max(y, y + dy)))
  for (let row = Math.max(0, Math.ceil(Math.min(y, y + dy))); row <= last; row++) {
    const share = (row - y) / dy
    const middle = x + (row - y) * slope
    // Fades in from its tail, and is brightest near its head.
    const along = level * (share < 0.8 ? 1.25 * share : 5 * (1 - share))
    const right = Math.min(width - 1, Math.floor(middle + reach))
    for (let column = Math.max(0, Math.ceil(middle - reach)); column <= right; column++) {
      const cover = Math.min(1, reach - Math.abs(column - middle))
      const at = row * stride + column
      const sum = plane[at]! + along * cover
      plane[at] = sum > 255 ? 255 : sum
    }
  }
}

/** The rest after division by 1, never below 0. */
export function wrap(value: number): number {
  return value - Math.floor(value)
}
