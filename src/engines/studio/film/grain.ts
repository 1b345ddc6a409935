// Film grain: one tile of soft noise, shifted to another place for every frame.

import { framesPerSecond } from '../../../video/av/timing.ts'
import { seededRandom } from '../../../video/random.ts'
import type { Film, FilmMoment } from './film.ts'

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

/** Strongest in the middle tones, as on film. */
export function addGrain(
  { y, width, height, stride }: Film,
  grain: Int8Array,
  { second, level }: FilmMoment,
  strength: number,
): void {
  const frame = Math.round(second * framesPerSecond)
  const offsetX = (frame * 197) % side
  const offsetY = (frame * 331) % side
  const amount = Uint8Array.from({ length: 256 }, (_, from) => {
    const tone = Math.max(0, 1 - ((from - 120) / 150) ** 2)
    return 40 * strength * level * tone
  })
  for (let row = 0; row < height; row++) {
    const line = ((row + offsetY) % side) * side
    for (let column = 0, at = row * stride; column < width; column++, at++) {
      const own = y[at]!
      const sum = own + ((grain[line + ((column + offsetX) & (side - 1))]! * amount[own]!) >> 8)
      y[at] = sum < 16 ? 16 : sum > 235 ? 235 : sum
    }
  }
}
