// Plumes that rise from a thing: steam, a thin veil of noise, and smoke, puffs that roll and grow as they go.

import { seededRandom } from '../../../video/random.ts'
import type { Air, AirDrawing, EffectScene } from './air.ts'
import { type Colour, type Mood, plain } from './mood.ts'
import { cloudNoise, noiseAt } from './noise.ts'
import { brightnessOf } from './picture-light.ts'

/** White as the picture's own light has it, and a little warmer: pure white would look blue by a candle and lilac on wood. */
function litBy(ambient: Colour, level: number, white = 0.12): Colour {
  const brightest = Math.max(...ambient)
  const warm: Colour = [1, 0.93, 0.8]
  return ambient.map((own, i) => level * warm[i]! * (white + ((1 - white) * own) / brightest)) as unknown as Colour
}

/** Rises from the top of the subject, or from the lower middle of the picture, and widens as it goes. */
export function steam({ strength, air, seed, ambient, ...scene }: EffectScene): AirDrawing {
  const origin = scene.origin()
  const { width, height } = air.half
  const map = new Uint8Array(width * height)
  const offset = seed % 97
  // The noise is as coarse in every size of frame.
  const grain = 360 / height
  const veil = litBy(ambient, 0.84)
  const density = wisps(cloudNoise(), offset)
  return (second, level) => {
    const [now, side] = [air.now(origin), air.now({ x: origin.x + origin.width, y: origin.y })]
    const from = { x: now.x * width, y: now.y * height }
    const base = Math.abs(side.x - now.x) * width * 0.6
    const tall = height * 0.62
    map.fill(0)
    const top = Math.max(0, Math.floor(from.y - tall))
    // The plume grows upwards from nothing.
    const grown = Math.min(1, level * 1.15)
    for (let row = top; row <= Math.min(height - 1, from.y + height * 0.03); row++) {
      const risen = (from.y - row) / tall
      const bend = risen * height * 0.12 * Math.sin(second * 0.55 + risen * 2.6 + offset) + risen * width * 0.03
      const wide = base * (0.55 + 0.5 * Math.max(0, risen)) + height * 0.16 * Math.max(0, risen) ** 0.8
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

interface Puff {
  /** When it leaves the ground, in turns of a puff's life. */
  phase: number
  /** Numbers of its own, -1 to 1. */
  aside: number
  sway: number
  size: number
  /** Where its texture lies in the noise. */
  at: number
}

const puffCount = 64
/** How long a puff rises, in seconds, and how far, in heights of the frame. */
const puffLife = 4.6
const puffRise = 0.95

/** Puffs leave the foot of the subject one after another, roll, widen and thin out; the light from above shades their folds. */
export function smoke({ strength, air, seed, ambient, mean, ...scene }: EffectScene): AirDrawing {
  const origin = scene.origin()
  const noise = cloudNoise()
  const { width, height } = air.half
  const thick = new Float32Array(width * height)
  const [veilMap, glowMap] = [new Uint8Array(width * height), new Uint8Array(width * height)]
  const puffs = makePuffs(seed)
  const tone = smokeTone(brightnessOf(mean))
  const veil = litBy(ambient, 0.5 * tone, 0.5)
  const glow = litBy(ambient, 1.4 * tone, 0.5)

  let inFront: number | null = null

  function drawPuff(puff: Puff, age: number, second: number, from: { x: number; y: number; base: number }): void {
    const risen = 1 - (1 - age) ** 1.35
    const radius = (0.5 * from.base + height * (0.035 + 0.2 * age ** 0.8)) * (1 + 0.3 * puff.size)
    const wander = 0.09 * risen * Math.sin(0.7 * second + 6 * puff.at + 3 * risen) + 0.1 * risen * risen
    const x = from.x + puff.aside * (0.55 * from.base + 0.1 * height * risen) + height * wander
    const y = from.y - puffRise * height * risen - 0.3 * radius
    // It comes out of the ground thick and dissolves on its way.
    const dense = strength * 0.55 * Math.min(1, age * 14) * (1 - age) ** 1.3
    if (dense < 0.004) return
    const turn = puff.sway * (0.6 + 0.5 * second)
    const grain = 46 / radius
    const [cos, sin] = [Math.cos(turn) * grain, Math.sin(turn) * grain]
    const [offsetX, offsetY] = [256 * puff.at, 91 * puff.size + 5 * second]
    const bottom = Math.min(height - 1, Math.ceil(y + radius))
    const right = Math.min(width - 1, Math.ceil(x + radius))
    for (let row = Math.max(0, Math.floor(y - radius)); row <= bottom; row++) {
      for (let column = Math.max(0, Math.floor(x - radius)); column <= right; column++) {
        const [dx, dy] = [column - x, row - y]
        const away = (dx * dx + dy * dy) / (radius * radius)
        if (away >= 1) continue
        const fold = noiseAt(noise, dx * cos - dy * sin + offsetX, dx * sin + dy * cos + offsetY)
        const full = 1.9 * (fold + 0.16 - 1.16 * away)
        if (full <= 0) continue
        const own = dense * (full >= 1 ? 1 : full * full * (3 - 2 * full))
        thick[row * width + column]! += own
      }
    }
  }

  return (second, level) => {
    const foot = { x: origin.x, y: origin.foot }
    const [now, side] = [air.now(foot), air.now({ x: foot.x + origin.width, y: foot.y })]
    const base = Math.min(0.2 * height, Math.abs(side.x - now.x) * width * 0.6)
    const from = { x: now.x * width, y: now.y * height, base }
    thick.fill(0)
    for (const puff of puffs) {
      const turns = second / puffLife + puff.phase
      // The first ones leave when the effect begins.
      if (turns >= 1) drawPuff({ ...puff, at: puff.at + Math.floor(turns) * 0.618 }, turns % 1, second, from)
    }
    inFront ??= frontShare(air, from)
    shade(thick, air, level, inFront, veilMap, glowMap)
    air.setVeil(veilMap)
    air.setGlow(glowMap)
    return { ...plain, veil, glow } satisfies Mood
  }
}

/** Brighter than a dark picture, and darker than a bright one: smoke as grey as what is behind it would not be seen. */
function smokeTone(behind: number): number {
  return behind < 0.3 ? Math.min(0.5, 0.22 + behind) : 0.2
}

function makePuffs(seed: number): Puff[] {
  const random = seededRandom(seed ^ 0x5340)
  const own = () => 2 * random() - 1
  return Array.from({ length: puffCount }, (_, i) => {
    return { phase: (i + random()) / puffCount, aside: own(), sway: own(), size: own(), at: random() }
  })
}

/**
 * Turns the thickness of smoke into a veil and, where its folds look upwards, light. It rises behind what is near, so that
 * it does not hide the subject. The glow's level counts squared.
 */
function shade(
  thick: Float32Array,
  air: Air,
  level: number,
  inFront: number,
  veil: Uint8Array,
  glow: Uint8Array,
): void {
  const { near } = air
  const { width, height } = air.half
  const step = Math.max(1, Math.round(height / 90))
  for (let row = 0, i = 0; row < height; row++) {
    const above = Math.max(0, row - step) * width
    const below = Math.min(height - 1, row + step) * width
    for (let column = 0; column < width; column++, i++) {
      const own = thick[i]!
      veil[i] = 0
      glow[i] = 0
      if (own === 0) continue
      const upwards = thick[below + column]! - thick[above + Math.max(0, column - step)]!
      const light = Math.min(1, Math.max(0, 0.4 + (1.1 * upwards) / (0.3 + own)))
      const behind = near ? behindOf(near[i]!) : 1
      const cover = level * (1 - Math.exp(-1.5 * own)) * (inFront + (1 - inFront) * behind)
      veil[i] = 255 * smokeMost * cover
      glow[i] = 255 * Math.sqrt(smokeMost * cover * light)
    }
  }
}

/** Even the thickest smoke lets a little through. */
const smokeMost = 0.86

/** Whether smoke is behind what has a nearness: 1 in front of it, 0 behind, soft between. */
function behindOf(near: number): number {
  return Math.min(1, Math.max(0, (nearEnd - near) / (nearEnd - nearStart)))
}

const nearStart = 180
const nearEnd = 220

/** How much of the smoke drifts in front of what is near: little, unless most of it would be hidden. */
function frontShare({ near, half: { width, height } }: Air, from: { x: number; y: number }): number {
  if (!near) return 1
  let [seen, all] = [0, 1e-9]
  const [left, right] = [from.x - 0.2 * height, from.x + 0.2 * height]
  for (let row = 0; row < Math.min(height, from.y); row++) {
    for (let column = Math.max(0, Math.floor(left)); column < Math.min(width, right); column++) {
      seen += behindOf(near[row * width + column]!)
      all++
    }
  }
  return Math.min(0.8, Math.max(0.25, 1.1 - 1.4 * (seen / all)))
}
