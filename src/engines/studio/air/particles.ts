// Things that fall, rise or hang in the air, one by one: drops, flakes, embers, lights. Each has a place of its own at every
// moment, as a pure function of time, so that frames can be drawn in any order.

import { seededRandom } from '../../../video/random.ts'

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

/** The rest after division by 1, never below 0. */
export function wrap(value: number): number {
  return value - Math.floor(value)
}
