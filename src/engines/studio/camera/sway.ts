// A hand's sway: sums of slow sines (0.25 to 1.7 Hz, weaker the faster), so that it has no corner at any frame rate. Every
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
const breathReach = 0.0014

export interface SwayOptions {
  seed: number
  seconds: number
  anchor?: 'start' | 'end'
}

/** From `amount` 0 (a breath) to 1. It is at rest at the end of the clip that is exactly the picture. */
export function createSway(amount: number, { seed, seconds, anchor = 'start' }: SwayOptions): (t: number) => Sway {
  const handReach = handheldReach.offset * amount
  const rollReach = handheldReach.roll * amount
  const random = seededRandom(seed ^ 0x5ba7e)
  const [x, y, roll] = [wave(random), wave(random), wave(random)]
  const breath = breathing(random)
  const resting = breath(anchor === 'start' ? 0 : seconds)
  return (t) => {
    const fromAnchor = anchor === 'start' ? t : 1 - t
    const s = Math.min(1, (fromAnchor * seconds) / Math.min(1, seconds))
    const level = s ** 3 * (s * (6 * s - 15) + 10)
    const second = t * seconds
    const breathed = breath(second)
    // Both set in with the next frame, at about their pace: frames that differ by less would be equal once encoded.
    const reach = handReach * s * (2 - s)
    return {
      x: breathed.x - resting.x + reach * x(second),
      y: breathed.y - resting.y + reach * y(second),
      roll: level * rollReach * roll(second),
      offsetReach: breathReach * (1 - (1 - s) ** 3) + reach,
      rollReach: level * rollReach,
    }
  }
}

/** Two circles, one upon the other: it goes nowhere, at nearly one pace. */
function breathing(random: () => number): (second: number) => { x: number; y: number } {
  const [slow, quick] = [2 * Math.PI * random(), 2 * Math.PI * random()]
  const radius = breathReach / 2.5
  return (second) => {
    const [a, b] = [3.8 * second + slow, 6.1 * second + quick]
    return { x: radius * (Math.cos(a) + 0.25 * Math.cos(b)), y: radius * (Math.sin(a) + 0.25 * Math.sin(b)) }
  }
}

function wave(random: () => number): (second: number) => number {
  const parts = [0.27, 0.43, 0.71, 1.13, 1.6].map((hertz) => ({
    omega: 2 * Math.PI * hertz * (0.92 + 0.16 * random()),
    phase: 2 * Math.PI * random(),
    weight: hertz ** -0.8,
  }))
  const total = parts.reduce((sum, part) => sum + part.weight, 0)
  return (second) =>
    parts.reduce((sum, part) => sum + part.weight * Math.sin(part.omega * second + part.phase), 0) / total
}
