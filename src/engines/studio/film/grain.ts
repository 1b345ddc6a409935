// Film grain: one tile of soft noise, shifted to another place for every frame. Pure.

import { seededRandom } from '../../../video/random.ts'

const side = 512

/** Noise with a deviation of about 32, each grain a little more than a pixel wide. */
export function makeGrain(seed: number): Int8Array {
  const random = seededRandom(seed ^ 0x96a1)
  const raw = Float32Array.from({ length: side * side }, () => random() + random() + random() - 1.5)
  const at = (x: number, y: number) => raw[((y + side) % side) * side + ((x + side) % side)]!
  const grain = new Int8Array(side * side)
  for (let y = 0, i = 0; y < side; y++) {
    for (let x = 0; x < side; x++, i++) {
      const around = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)
      grain[i] = Math.min(127, Math.max(-127, Math.round(68 * (0.7 * at(x, y) + 0.3 * around))))
    }
  }
  return grain
}
