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
/** In halves of the frame's width: 0.8 pixels at 1280. */
const breath = 0.00125

export interface SwayOptions {
  seed: number
  seconds: number
  anchor?: 'start' | 'end'
}

/** From `amount` 0 (a breath) to 1. It is quiet at the end of the clip that is exactly the picture, for a second. */
export function createSway(amount: number, { seed, seconds, anchor = 'start' }: SwayOptions): (t: number) => Sway {
  const handReach = handheldReach.offset * amount
  const rollReach = handheldReach.roll * amount
  const random = seededRandom(seed ^ 0x5ba7e)
  const [x, y, roll] = [wave(random), wave(random), wave(random)]
  return (t) => {
    const fromAnchor = anchor === 'start' ? t : 1 - t
    const s = Math.min(1, (fromAnchor * seconds) / Math.min(1, seconds))
    const level = s ** 3 * (s * (6 * s - 15) + 10)
    const second = t * seconds
    // The breath sets in with the next frame: frames that differ by less than it would be equal once encoded.
    const offsetReach = breath * (1 - (1 - s) ** 6) + level * handReach
    return {
      x: offsetReach * x(second),
      y: offsetReach * y(second),
      roll: level * rollReach * roll(second),
      offsetReach,
      rollReach: level * rollReach,
    }
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
