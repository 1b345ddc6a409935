// Small lights in the air: embers, fireflies, bokeh, bubbles and dust in the light.

import type { Air, AirDrawing, EffectScene } from './effect-scene.ts'
import { type Colour, type Mood, plain } from './mood.ts'
import { disc, halo, makeParticles, pixelsWithin, streak, visibility, wrap } from './particles.ts'

export function embers({ seed, strength, air }: EffectScene): AirDrawing {
  const sparks = makeParticles(Math.round(190 * strength), seed ^ 0xe3b)
  const scale = air.height / 720
  return (second, level) => {
    air.setVeil(null)
    air.setGlow(null)
    const glow = air.glow()
    for (const spark of sparks) {
      const speed = 0.09 + 0.16 * spark.near + 0.06 * spark.a
      const risen = spark.y + speed * second
      const y = 1.04 - wrap(risen) * 1.15
      const turn = Math.floor(risen)
      const curl = 0.03 * Math.sin(second * (0.9 + 1.4 * spark.b) + 6.28 * spark.a + 5 * y)
      const x = wrap(spark.x + turn * 0.618 + curl + 0.02 * second)
      // Brighter below, where it is hot; each flickers for itself.
      const flicker = 0.65 + 0.35 * Math.sin(second * (7 + 9 * spark.b) + 40 * spark.a)
      const heat = Math.min(1, Math.max(0, 0.25 + 0.9 * y)) * flicker
      const shown = level * heat * visibility(air, x * air.width, y * air.height, spark.near)
      const radius = (0.7 + 1.7 * spark.near * (0.4 + spark.b)) * scale
      const [px, py] = [x * air.width, y * air.height]
      disc(glow, air, px, py, radius * 6, 70 * Math.sqrt(shown), 0)
      // Its motion blur: a short stroke, bent as the spark curls.
      const length = (2 + 30 * speed * (0.5 + spark.a)) * scale
      const lean = length * 0.7 * Math.cos(second * (0.9 + 1.4 * spark.b) + 6.28 * spark.a + 5 * y)
      streak(glow, air, px - lean / 2, py + length / 2, lean, -length, radius * 1.5, 300 * Math.sqrt(shown))
    }
    const dim = 1 - 0.1 * level
    return { ...plain, gain: [dim, dim * 0.985, dim * 0.96], glow: [1.6, 0.5, 0.1] } satisfies Mood
  }
}

export function fireflies({ seed, strength, air }: EffectScene): AirDrawing {
  const flies = makeParticles(Math.round(64 * strength), seed ^ 0xf1f)
  const scale = air.height / 720
  return (second, level) => {
    air.setVeil(null)
    air.setGlow(null)
    const glow = air.glow()
    for (const fly of flies) {
      const wander = second * (0.25 + 0.25 * fly.a)
      const x = wrap(fly.x + 0.05 * Math.sin(wander * 2.1 + 7 * fly.b) + 0.02 * Math.sin(wander * 5.3))
      const y = wrap(0.25 + 0.7 * fly.y + 0.05 * Math.cos(wander * 1.7 + 9 * fly.a))
      const blink = Math.max(0, Math.sin(second * (1.1 + fly.b) + 6.28 * fly.a)) ** 2
      const shown = level * blink * visibility(air, x * air.width, y * air.height, fly.near)
      const radius = (2.4 + 3.4 * fly.near) * scale
      halo(glow, air, x * air.width, y * air.height, radius * 8, 150 * Math.sqrt(shown))
      disc(glow, air, x * air.width, y * air.height, radius, 255 * Math.sqrt(shown), 0)
    }
    const dim = 1 - 0.22 * level
    return { ...plain, gain: [dim * 0.95, dim, dim * 1.02], glow: [0.85, 1, 0.28] } satisfies Mood
  }
}

/** Lights out of focus, behind what is near. */
export function bokeh({ seed, strength, air, ambient }: EffectScene): AirDrawing {
  const lights = makeParticles(Math.round(30 * strength), seed ^ 0xb0c)
  const scale = air.height / 720
  const [r, g, b] = ambient
  const warm = Math.max(r, g, b, 0.05)
  return (second, level) => {
    air.setVeil(null)
    air.setGlow(null)
    for (const spot of lights) {
      const x = wrap(spot.x + 0.008 * second * (spot.a - 0.5) + 0.01 * Math.sin(second * 0.4 + 6.28 * spot.b))
      const y = wrap(spot.y - 0.006 * second * (0.3 + spot.b))
      const radius = (14 + 40 * spot.a) * scale
      const pulse = 0.6 + 0.4 * Math.sin(second * (0.5 + 0.6 * spot.b) + 6.28 * spot.a)
      // Nothing comes or goes at the frame's edge.
      const inside = Math.min(1, 12 * Math.min(x, 1 - x, y, 1 - y))
      const shown = level * pulse * (0.35 + 0.65 * spot.b) * inside
      lensDisc(air, x * air.width, y * air.height, radius, 150 * Math.sqrt(shown))
    }
    return {
      ...plain,
      gain: [1 - 0.12 * level, 1 - 0.13 * level, 1 - 0.14 * level],
      glow: [0.82 + (0.34 * r) / warm, 0.54 + (0.24 * g) / warm, 0.22 + (0.18 * b) / warm],
    } satisfies Mood
  }
}

/** The nearness, of 255, below which a background is out of focus; what is sharp shows no such lights. */
const blurredBelow = 160

/** The image of a point out of focus: an even disc, a little brighter at its rim, hidden by what is near. */
function lensDisc(air: Air, x: number, y: number, radius: number, level: number): void {
  const glow = air.glow()
  const soft = Math.max(1.5, radius * 0.07)
  const { left, right, top, bottom } = pixelsWithin(air, x, y, radius)
  for (let row = top; row <= bottom; row++) {
    const near = (row >> 1) * air.half.width
    for (let column = left; column <= right; column++) {
      const distance = Math.hypot(column - x, row - y)
      const edge = Math.min(1, (radius - distance) / soft)
      if (edge <= 0) continue
      const behind = air.near ? Math.min(1, Math.max(0, (blurredBelow - air.near[near + (column >> 1)]!) / 45)) : 1
      const at = row * air.stride + column
      glow[at] = Math.min(255, glow[at]! + level * edge * behind * (0.78 + 0.22 * (distance / radius) ** 3))
    }
  }
}

/** The two colours that a thin film plays between. */
const filmColours: Colour[] = [
  [1, 0.5, 0.75],
  [0.4, 0.95, 1],
]

/** Soap bubbles that rise and wobble: a thin rim in two colours, and the light that they mirror. */
export function bubbles({ seed, strength, air, ambient }: EffectScene): AirDrawing[] {
  const all = makeParticles(Math.round(34 * strength), seed ^ 0xbbb1e)
  const scale = air.height / 720
  const light = 0.55 + 0.45 * Math.min(1, Math.max(...ambient) / 0.4)
  return filmColours.map((colour, film) => (second, level) => {
    air.setVeil(null)
    air.setGlow(null)
    for (const bubble of all) {
      const radius = (6 + 14 * bubble.a + 44 * bubble.near) * scale
      // Large ones rise slowly.
      const risen = bubble.y + second * (0.085 - 0.04 * bubble.near) * (0.7 + 0.6 * bubble.b)
      const y = 1.1 - 1.2 * wrap(risen)
      const x = wrap(
        bubble.x + Math.floor(risen) * 0.618 + 0.022 * Math.sin(second * (0.5 + bubble.b) + 6.28 * bubble.a),
      )
      const shown = level * Math.min(1, 14 * Math.max(0, Math.min(x, 1 - x)))
      const turn = second * (0.3 + 0.5 * bubble.a) + 6.28 * bubble.b + film * Math.PI
      bubbleAt(air, x * air.width, y * air.height, { radius, level: 255 * Math.sqrt(shown), turn, near: bubble.near })
    }
    return { ...plain, glow: colour.map((part) => part * light) as unknown as Colour } satisfies Mood
  })
}

interface Bubble {
  radius: number
  level: number
  turn: number
  near: number
}

function bubbleAt(air: Air, x: number, y: number, { radius, level, turn, near }: Bubble): void {
  const glow = air.glow()
  const nearest = air.nearAbout
  const rim = Math.max(1.2 / radius, 0.045)
  const { left, right, top, bottom } = pixelsWithin(air, x, y, radius)
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const [dx, dy] = [(column - x) / radius, (row - y) / radius]
      const distance = Math.hypot(dx, dy)
      if (distance >= 1) continue
      // The film is thicker below, so its colours lie in bands that tilt as it turns.
      const film = 0.5 + 0.5 * Math.sin(2 * Math.atan2(dy, dx) + turn + 5 * dy)
      const edge = Math.min(1, (1 - distance) * radius)
      const skin = 0.42 * Math.exp(-(((1 - distance) / rim) ** 2) * 0.35) + 0.2 * distance ** 5
      const window = Math.exp(-(((dx + 0.42) / 0.13) ** 2 + ((dy + 0.46) / 0.17) ** 2))
      const mirrored = 0.45 * Math.exp(-(((dx - 0.46) / 0.12) ** 2 + ((dy - 0.48) / 0.1) ** 2))
      // Most float behind the subject: what is nearer than a bubble hides it.
      const behind = nearest ? nearest[(row >> 1) * air.half.width + (column >> 1)]! / 255 : 0
      const open = Math.min(1, Math.max(0, (near + 0.5 - behind) * 6))
      const at = row * air.stride + column
      const sum = glow[at]! + level * edge * open * (skin * (0.25 + 0.75 * film) + 0.85 * (window + mirrored))
      glow[at] = sum > 255 ? 255 : sum
    }
  }
}

/** Motes that hang and wander in the light: most of them small, some near and out of focus. */
export function dust({ seed, strength, air, ambient }: EffectScene): AirDrawing {
  const motes = makeParticles(Math.round(620 * strength), seed ^ 0xd057)
  const scale = air.height / 720
  const brightest = Math.max(...ambient)
  const lit = 0.6 + 0.4 * Math.min(1, brightest / 0.3)
  return (second, level) => {
    air.setVeil(null)
    air.setGlow(null)
    const glow = air.glow()
    for (const mote of motes) {
      const x = wrap(mote.x + 0.016 * second * (mote.b - 0.3) + 0.014 * Math.sin(second * 0.5 + 6.28 * mote.a))
      const y = wrap(mote.y - 0.013 * second * (0.2 + mote.a) + 0.012 * Math.sin(second * 0.37 + 6.28 * mote.b))
      const inside = Math.min(1, 20 * Math.min(x, 1 - x, y, 1 - y))
      // A mote glints as it turns.
      const turned = 0.4 + 0.6 * Math.max(0, Math.sin(second * (0.6 + mote.b) + 6.28 * mote.a)) ** 2
      const shown = level * inside * turned * visibility(air, x * air.width, y * air.height, mote.near)
      const near = Math.max(0, mote.near - 0.55)
      // Larger than a pixel: a sharp bright one looks like a fault of the sensor.
      const radius = (2.6 + 3.4 * mote.near + 30 * near) * scale
      const brightness = near > 0 ? 105 - 90 * near : 250 * (0.45 + 0.55 * mote.b)
      const [px, py] = [x * air.width, y * air.height]
      disc(glow, air, px, py, radius, brightness * Math.sqrt(shown), near > 0 ? 0.35 : 0.1)
    }
    const [r, g, b] = ambient.map((own) => lit * (0.5 + (0.5 * own) / brightest))
    // In a dimmer room they stand out.
    const dim = 1 - 0.2 * level
    return { ...plain, gain: [dim, dim * 0.985, dim * 0.96], glow: [1.5 * r!, 1.32 * g!, 0.88 * b!] } satisfies Mood
  }
}
