// A hand's sway: a sum of slow circles (0.25 to 1.7 Hz, the faster the smaller), which is smooth at any frame rate. Every
// clip has a trace of it, below a pixel, so that no two frames are equal; "handheld" makes it visible.

import { seededRandom } from '../../../video/random.ts'

export interface Sway {
  x: number
  y: number
  roll: number
  /** The most that x and y, and roll, may come to around now. */
  offsetReach: number
  rollReach: number
}

const handheldReach = { offset: 0.014, roll: 0.005 }
/** In halves of the frame's width: at most 0.9 pixels at 1280. */
export const breathReach = 0.0014

interface SwayOptions {
  seed: number
  seconds: number
  anchor?: 'start' | 'end'
  /** The camera moves already, so the sway may set in slowly instead of with the next frame. */
  gently?: boolean
  /** The camera pulls out beyond the picture: room for its breath would only work against that. */
  leavesPicture?: boolean
}

/** From `amount` 0 (a breath) to 1. It is at rest at the end of the clip that is exactly the picture. */
export function createSway(amount: number, options: SwayOptions): (t: number) => Sway {
  const { seed, seconds, anchor = 'start', gently = false, leavesPicture = false } = options
  const handReach = handheldReach.offset * amount
  const rollReach = handheldReach.roll * amount
  const random = seededRandom(seed ^ 0x5ba7e)
  const hand = circles(random, varied(random, handCircles))
  const roll = circles(random, varied(random, trembles))
  const breath = circles(random, breathCircles)
  const resting = breath(anchor === 'start' ? 0 : seconds)
  return (t) => {
    const fromAnchor = anchor === 'start' ? t : 1 - t
    const s = Math.min(1, (fromAnchor * seconds) / Math.min(1, seconds))
    const level = s ** 3 * (s * (6 * s - 15) + 10)
    const second = t * seconds
    const breathed = breath(second)
    const held = hand(second)
    // Both begin with the next frame at almost full speed: frames that differ less would be identical once encoded.
    const reach = handReach * (gently ? level : s * (2 - s))
    // Two places of a breath are at most its width apart: twice its radius.
    const breathRadius = breathReach / 2
    return {
      x: breathRadius * (breathed.x - resting.x) + reach * held.x,
      y: breathRadius * (breathed.y - resting.y) + reach * held.y,
      roll: level * rollReach * roll(second).x,
      offsetReach: (leavesPicture ? 0 : breathReach) * (gently ? level : 1 - (1 - s) ** 3) + reach,
      rollReach: level * rollReach,
    }
  }
}

interface Turn {
  hertz: number
  weight: number
}

const trembles: Turn[] = [0.27, 0.43, 0.71, 1.13, 1.6].map((hertz) => ({ hertz, weight: hertz ** -0.8 }))
/** One circle weighs as much as all the others: a hand that nearly stopped now and then would go on with a jolt. */
const handCircles = [{ hertz: 0.7, weight: totalWeight(trembles) }, ...trembles]
/** Nearly one pace: slower, frames would be equal once encoded; faster, it would exceed `offsetReach` at the start. */
const breathCircles = [
  { hertz: 0.605, weight: 1 },
  { hertz: 0.97, weight: 0.25 },
]

/** A sum of circles in random directions, at most 1 from the middle. */
function circles(random: () => number, turns: Turn[]): (second: number) => { x: number; y: number } {
  const total = totalWeight(turns)
  const parts = turns.map(({ hertz, weight }) => ({ turned: turning(random, hertz), radius: weight / total }))
  return (second) => {
    const place = { x: 0, y: 0 }
    for (const { turned, radius } of parts) {
      const angle = turned(second)
      place.x += radius * Math.cos(angle)
      place.y += radius * Math.sin(angle)
    }
    return place
  }
}

const varied = (random: () => number, turns: Turn[]): Turn[] =>
  turns.map(({ hertz, weight }) => ({ hertz: hertz * (0.92 + 0.16 * random()), weight }))

/** An angle that turns this often per second, from anywhere, either way. */
function turning(random: () => number, hertz: number): (second: number) => number {
  const pace = 2 * Math.PI * hertz * (random() < 0.5 ? -1 : 1)
  const from = 2 * Math.PI * random()
  return (second) => from + pace * second
}

function totalWeight(turns: Turn[]): number {
  return turns.reduce((sum, { weight }) => sum + weight, 0)
}
