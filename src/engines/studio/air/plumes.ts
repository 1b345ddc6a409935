// Plumes that rise from a thing, steam and smoke: puffs that roll and grow as they go.

import { seededRandom } from '../../../video/random.ts'
import { smoothstep } from '../../../video/smoothstep.ts'
import type { Air, AirDrawing, EffectScene } from './effect-scene.ts'
import { type Colour, type Mood, plain } from './mood.ts'
import { cloudNoise, noiseAt } from './noise.ts'
import { pixelsWithin } from './particles.ts'
import { brightnessOf } from './picture-light.ts'

/** White as the picture's own light has it, and a little warmer: pure white would look blue by a candle and lilac on wood. */
function litBy(ambient: Colour, level: number, white: number): Colour {
  const brightest = Math.max(...ambient)
  const warm: Colour = [1, 0.94, 0.83]
  return ambient.map((own, i) => level * warm[i]! * (white + ((1 - white) * own) / brightest)) as unknown as Colour
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

interface Kind {
  puffs: number
  /** How long a puff rises, in seconds, and how far, in heights of the frame. */
  life: number
  rise: number
  /** Half of its width where it leaves and how much that grows, in heights of the frame. */
  width: number
  widens: number
  /** How much thinner than high its folds are. */
  drawnOut: number
  /** How fine they are, and how much they are shaded. */
  grain: number
  folds: number
  dense: number
  /** Its brightness by that of the picture and of its light. */
  tone(behind: number, lit: number): number
  /** How little it takes on the colour of the picture's light, 0 to 1. */
  white: number
  /** Whether it comes off the top of a thing, in front of all, or from behind it. */
  fromTop: boolean
  /** Half the width at most of where it rises, in heights of the frame. */
  baseMax: number
}

/** Smoke is brighter than a dark picture, and darker than a bright one: as grey as what is behind it, it would not be seen. */
const smokeTone = (behind: number, lit: number) =>
  behind < 0.3 ? Math.min(0.5, behind + Math.min(0.22, 0.06 + lit)) : 0.2
const steamTone = (behind: number) => Math.min(0.85, 0.52 + behind)

const kinds = {
  smoke: {
    puffs: 64,
    life: 4.6,
    rise: 0.95,
    width: 0.035,
    widens: 0.2,
    baseMax: 0.2,
    fromTop: false,
    drawnOut: 1,
    grain: 46,
    folds: 1.1,
    dense: 0.55,
    tone: smokeTone,
    white: 0.75,
  },
  steam: {
    puffs: 52,
    life: 3,
    rise: 0.55,
    width: 0.02,
    widens: 0.13,
    baseMax: 0.13,
    fromTop: true,
    drawnOut: 1.45,
    grain: 30,
    folds: 0.3,
    dense: 0.15,
    tone: steamTone,
    white: 0.2,
  },
} satisfies Record<string, Kind>

/** Puffs leave one after another, roll, widen and thin out; the light from above shades their folds. */
function plume(name: keyof typeof kinds) {
  return ({ strength, air, seed, ambient, mean, ...scene }: EffectScene): AirDrawing => {
    const origin = scene.origin()
    const kind: Kind = kinds[name]
    const noise = cloudNoise()
    const { width, height } = air.half
    const thick = new Float32Array(width * height)
    const [veilMap, glowMap] = [new Uint8Array(width * height), new Uint8Array(width * height)]
    const puffs = makePuffs(kind.puffs, seed)
    const tone = kind.tone(brightnessOf(mean), brightnessOf(ambient))
    const veil = litBy(ambient, 0.5 * tone, kind.white)
    const glow = litBy(ambient, 1.4 * tone, kind.white)
    let inFront: number | null = null

    function drawPuff(puff: Puff, age: number, second: number, from: { x: number; y: number; base: number }): void {
      const risen = 1 - (1 - age) ** 1.35
      const radius = (0.5 * from.base + height * (kind.width + kind.widens * age ** 0.8)) * (1 + 0.3 * puff.size)
      const wander = 0.09 * risen * Math.sin(0.7 * second + 6 * puff.at + 3 * risen) + 0.1 * risen * risen
      const x =
        from.x + puff.aside * (0.55 * from.base + 0.5 * kind.widens * height * risen) + kind.rise * height * wander
      const y = from.y - kind.rise * height * risen - 0.3 * radius
      // It comes out of the ground thick and dissolves on its way.
      const dense = strength * kind.dense * Math.min(1, age * 14) * (1 - age) ** 1.3
      if (dense < 0.004) return
      const turn = (puff.sway * (0.6 + 0.5 * second)) / kind.drawnOut ** 2
      const grain = kind.grain / radius
      const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
      const [grainX, grainY] = [grain * kind.drawnOut, grain / kind.drawnOut]
      const [offsetX, offsetY] = [256 * puff.at, 91 * puff.size + 5 * second]
      const { left, right, top, bottom } = pixelsWithin(air.half, x, y, radius)
      for (let row = top; row <= bottom; row++) {
        for (let column = left; column <= right; column++) {
          const [dx, dy] = [column - x, row - y]
          const away = (dx * dx + dy * dy) / (radius * radius)
          if (away >= 1) continue
          const fold = noiseAt(
            noise,
            (dx * cos - dy * sin) * grainX + offsetX,
            (dx * sin + dy * cos) * grainY + offsetY,
          )
          const full = 1.9 * (fold + 0.16 - 1.16 * away)
          if (full <= 0) continue
          const own = dense * smoothstep(full)
          thick[row * width + column]! += own
        }
      }
    }

    return (second, level) => {
      const foot = { x: origin.x, y: kind.fromTop ? origin.y : origin.foot }
      const [now, side] = [air.now(foot), air.now({ x: foot.x + origin.width, y: foot.y })]
      const base = Math.min(kind.baseMax * height, Math.abs(side.x - now.x) * width * 0.6)
      const from = { x: now.x * width, y: now.y * height, base }
      thick.fill(0)
      for (const puff of puffs) {
        const turns = second / kind.life + puff.phase
        // The first ones leave when the effect begins.
        if (turns >= 1) drawPuff({ ...puff, at: puff.at + Math.floor(turns) * 0.618 }, turns % 1, second, from)
      }
      inFront ??= kind.fromTop ? 1 : frontShare(air, from)
      shade(thick, air, level, kind.folds, inFront, veilMap, glowMap)
      air.setVeil(veilMap)
      air.setGlow(glowMap)
      return { ...plain, veil, glow } satisfies Mood
    }
  }
}

export const [smoke, steam] = [plume('smoke'), plume('steam')]

function makePuffs(count: number, seed: number): Puff[] {
  const random = seededRandom(seed ^ 0x5340)
  const own = () => 2 * random() - 1
  return Array.from({ length: count }, (_, i) => {
    return { phase: (i + random()) / count, aside: own(), sway: own(), size: own(), at: random() }
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
  folds: number,
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
      const light = Math.min(1, Math.max(0, 0.4 + (folds * upwards) / (0.3 + own)))
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

const nearStart = 145
const nearEnd = 205

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
