// Fog, steam and smoke: clouds of noise that drift with time, behind near things.

import type { AirDrawing, EffectScene } from './air.ts'
import { type Colour, type Mood, plain } from './mood.ts'
import { cloudNoise, noiseAt } from './noise.ts'

export function fog({ strength, air, ambient }: EffectScene): AirDrawing {
  const noise = cloudNoise()
  const { width, height } = air.half
  const map = new Uint8Array(width * height)
  const scale = 190 / height
  const [r, g, b] = ambient
  // Fog takes the colour of the picture's light, a little paler.
  const pale = (r + g + b) / 3
  const veil: Colour = [0.45 * r + 0.55 * pale, 0.45 * g + 0.55 * pale, 0.45 * b + 0.55 * pale]
  return (second, level) => {
    const most = 255 * Math.min(0.9, 0.72 * strength) * level
    const [driftX, driftY] = [second * 5, second * 1.1]
    const { near } = air
    for (let row = 0, i = 0; row < height; row++) {
      // Fog lies low.
      const low = 0.72 + 0.28 * (row / height)
      for (let column = 0; column < width; column++, i++) {
        const far = near ? 1 - near[i]! / 255 : 0.55
        const slow = noiseAt(noise, column * scale + driftX, row * scale * 1.6 + driftY)
        const quick = noiseAt(noise, column * scale * 2.1 - driftX * 0.6, row * scale * 2.6 + 90)
        map[i] = most * low * (0.08 + 0.92 * far ** 1.15) * (0.5 + 0.34 * slow + 0.16 * quick)
      }
    }
    air.setVeil(map)
    air.setGlow(null)
    return { ...plain, veil } satisfies Mood
  }
}

/** A plume that rises from the subject, or from the lower middle of the picture, and widens as it goes. */
export function plume(kind: 'steam' | 'smoke') {
  return ({ strength, air, seed, ambient, ...scene }: EffectScene): AirDrawing => {
    const origin = scene.origin()
    const noise = cloudNoise()
    const { width, height } = air.half
    const map = new Uint8Array(width * height)
    const smoke = kind === 'smoke'
    const offset = seed % 97
    // The noise is as coarse in every size of frame.
    const grain = 360 / height
    // White as the picture's own light has it, and a little warmer: pure white would look blue by a candle and lilac on wood.
    const brightest = Math.max(...ambient)
    const warm: Colour = [1, 0.93, 0.8]
    const lit = (level: number) =>
      ambient.map((own, i) => level * warm[i]! * (0.12 + (0.88 * own) / brightest)) as unknown as Colour
    const veil = lit(smoke ? 0.3 : 0.84)
    const density = smoke ? billows(noise, offset) : wisps(noise, offset)
    return (second, level) => {
      // Steam comes off the top of a thing, smoke from where it stands.
      const own = { x: origin.x, y: smoke ? origin.foot : origin.y }
      const [now, side] = [air.now(own), air.now({ x: own.x + origin.width, y: own.y })]
      const from = { x: now.x * width, y: now.y * height }
      const base = Math.abs(side.x - now.x) * width * (smoke ? 0.85 : 0.6)
      const tall = height * (smoke ? 1 : 0.62)
      map.fill(0)
      const top = Math.max(0, Math.floor(from.y - tall))
      // The plume grows upwards from nothing.
      const grown = Math.min(1, level * 1.15)
      for (let row = top; row <= Math.min(height - 1, from.y + height * 0.03); row++) {
        const risen = (from.y - row) / tall
        const bend = risen * height * 0.12 * Math.sin(second * 0.55 + risen * 2.6 + offset) + risen * width * 0.03
        const wide =
          base * (0.55 + 0.5 * Math.max(0, risen)) + height * (smoke ? 0.3 : 0.16) * Math.max(0, risen) ** 0.8
        const fade = Math.min(1, Math.max(0, (risen + 0.05) * 9)) * Math.max(0, 1 - risen / grown) ** 1.25
        if (fade <= 0) continue
        const middle = from.x + bend
        const right = Math.min(width - 1, Math.ceil(middle + wide))
        for (let column = Math.max(0, Math.floor(middle - wide)); column <= right; column++) {
          const across = (column - middle) / wide
          // Counted from the plume's middle and foot: what it is made of travels with it.
          const dense = density((column - middle) * grain, (row - from.y) * grain, second, across, Math.max(0, risen))
          map[row * width + column] = 255 * Math.min(0.8, strength * level * fade * dense)
        }
      }
      air.setVeil(map)
      air.setGlow(null)
      return { ...plain, veil } satisfies Mood
    }
  }
}

/** How dense a plume is at a place: pixels of 360 lines from its middle and its foot, and shares of its width and height. */
type Density = (x: number, y: number, second: number, across: number, risen: number) => number

/** Thin veils, drawn out upwards, that are densest in the middle. */
function wisps(noise: Float32Array, offset: number): Density {
  return (x, y, second, across, risen) => {
    const rise = second * 22
    const stretch = 1.6 - 0.6 * risen
    const warp = 30 * noiseAt(noise, x * 0.24 + 40, y * 0.22 + rise * 0.6 + offset)
    const slow = noiseAt(noise, x * 0.5 * stretch + warp, y * 0.36 + rise + offset * 3)
    const fine = noiseAt(noise, x * 1.15 * stretch - warp, y * 0.8 + rise * 1.7)
    const round = Math.max(0, 1 - across * across)
    return 2.4 * round * round * Math.max(0, 0.72 * slow + 0.28 * fine - 0.22)
  }
}

/** Rounded clouds that roll as they rise: the noise itself makes the plume's outline, and grows coarser with its width. */
function billows(noise: Float32Array, offset: number): Density {
  return (x, y, second, across, risen) => {
    const rise = second * 20
    const size = 0.85 - 0.3 * risen
    const rollX = 34 * noiseAt(noise, x * 0.3 * size + 40, y * 0.3 * size + rise * 0.5 + offset)
    const rollY = 34 * noiseAt(noise, x * 0.3 * size + 170, y * 0.3 * size + rise * 0.7 + offset)
    const large = noiseAt(noise, x * 0.52 * size + rollX, y * 0.52 * size + rise * 0.8 + rollY + offset * 3)
    const small = noiseAt(noise, x * 1.3 * size + rollY, y * 1.3 * size + rise * 1.9 + rollX)
    const solid = Math.min(1, Math.max(0, (0.7 * large + 0.3 * small - 0.02 - 0.7 * across * across) / 0.62))
    const edge = Math.max(0, 1 - across * across)
    // Shaded by its own folds: what is thin stays thin.
    return 1.15 * Math.min(1, 3 * edge) * solid * solid * (3 - 2 * solid) * (0.55 + 0.45 * small)
  }
}
