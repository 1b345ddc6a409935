// Lights in the air: embers, fireflies, bokeh, sunrays, lightning, and the day turning to dusk.

import { seededRandom } from '../../../video/random.ts'
import { type Air, type AirDrawing, type EffectScene, type Mood, plain } from './air.ts'
import { cloudNoise, noiseAt, noiseSide } from './noise.ts'
import { disc, makeParticles, streak, visibility, wrap } from './particles.ts'

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
      // What the shutter sees of its way: a short stroke, bent as the spark curls.
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
      disc(glow, air, x * air.width, y * air.height, radius * 4.8, 118 * Math.sqrt(shown), 0)
      disc(glow, air, x * air.width, y * air.height, radius, 255 * Math.sqrt(shown), 0.3)
    }
    const dim = 1 - 0.22 * level
    return { ...plain, gain: [dim * 0.95, dim, dim * 1.02], glow: [0.85, 1, 0.28] } satisfies Mood
  }
}

export function bokeh({ seed, strength, air, ambient }: EffectScene): AirDrawing {
  const lights = makeParticles(Math.round(26 * strength), seed ^ 0xb0c)
  const scale = air.height / 720
  const [r, g, b] = ambient
  const warm = Math.max(r, g, b, 0.05)
  return (second, level) => {
    air.setVeil(null)
    air.setGlow(null)
    const glow = air.glow()
    for (const spot of lights) {
      const x = wrap(spot.x + 0.008 * second * (spot.a - 0.5) + 0.01 * Math.sin(second * 0.4 + 6.28 * spot.b))
      const y = wrap(spot.y - 0.006 * second * (0.3 + spot.b))
      const radius = (16 + 46 * spot.a) * scale
      const pulse = 0.6 + 0.4 * Math.sin(second * (0.5 + 0.6 * spot.b) + 6.28 * spot.a)
      const shown = level * pulse * (0.45 + 0.55 * spot.b)
      disc(glow, air, x * air.width, y * air.height, radius, 138 * Math.sqrt(shown), 0.86)
    }
    return {
      ...plain,
      glow: [0.55 + (0.5 * r) / warm, 0.5 + (0.35 * g) / warm, 0.35 + (0.3 * b) / warm],
    } satisfies Mood
  }
}

/** Beams from the brightest part of the upper picture, smeared away from it, broken by slow noise. */
export function sunrays({ strength, air, sun }: EffectScene): AirDrawing {
  const noise = cloudNoise()
  const { width, height } = air.half
  const map = new Uint8Array(width * height)
  const [sunX, sunY] = [sun.x * width, sun.y * height]
  const reach = Math.hypot(width, height)
  return (second, level) => {
    for (let row = 0, i = 0; row < height; row++) {
      for (let column = 0; column < width; column++, i++) {
        const dx = column - sunX
        const dy = row - sunY
        const distance = Math.sqrt(dx * dx + dy * dy) / reach
        // A whole turn is a whole number of tiles, so that no seam shows where the angle starts anew.
        const angle = Math.atan2(dx, dy) * (noiseSide / (2 * Math.PI))
        const broad = noiseAt(noise, angle + second * 1.6, second * 3 + 30)
        const fine = noiseAt(noise, angle * 3 - second * 2.2, second * 4.5)
        const mixed = Math.min(1, Math.max(0, (0.66 * broad + 0.34 * fine - 0.36) * 3))
        const beam = mixed * mixed * (3 - 2 * mixed)
        const falloff = Math.exp(-2.3 * distance) * Math.min(1, 0.2 + distance * 5)
        const open = air.near ? 1 - 0.72 * (air.near[i]! / 255) : 0.6
        const halo = 0.34 * Math.exp(-9 * distance)
        // The glow's level counts squared.
        const light = 0.6 * level * Math.min(1.4, strength) * (0.82 * beam * falloff + halo) * open
        map[i] = 255 * Math.sqrt(Math.min(1, light))
      }
    }
    air.setVeil(null)
    air.setGlow(map)
    return { ...plain, glow: [0.72, 0.62, 0.42] } satisfies Mood
  }
}

export function lightning({ seed, strength, air, seconds }: EffectScene): AirDrawing {
  const random = seededRandom(seed ^ 0x117)
  // The first within the first third, then every two seconds or so.
  const strikes: { at: number; x: number; bolt: number[] }[] = []
  for (let at = 0.9 + 0.5 * random(); at < seconds - 0.2; at += 1.5 + 1.4 * random()) {
    strikes.push({ at, x: 0.15 + 0.7 * random(), bolt: Array.from({ length: 24 }, () => random() - 0.5) })
  }
  const scale = air.height / 720
  return (second, level) => {
    air.setVeil(null)
    air.setGlow(null)
    const night = 1 - 0.42 * level
    let flash = 0
    for (const strike of strikes) {
      const age = second - strike.at
      if (age < 0 || age > 0.7) continue
      // Two strokes, the second weaker, then an afterglow.
      const stroke = Math.exp(-age * 16) + 0.6 * Math.exp(-Math.abs(age - 0.17) * 26) + 0.12 * Math.exp(-age * 4)
      flash = Math.max(flash, stroke * Math.min(1.3, strength) * level)
      if (age < 0.3) drawBolt(air, strike, 255 * Math.min(1, stroke) * level, scale)
    }
    const bright = night + 1.5 * flash
    const gain = [bright * 0.92, bright * 0.97, bright * 1.08] as const
    return { ...plain, gain, glow: [1.5, 1.6, 2] } satisfies Mood
  }
}

function drawBolt(air: Air, { x, bolt }: { x: number; bolt: number[] }, level: number, scale: number): void {
  const glow = air.glow()
  const { width, height } = air.half
  let [fromX, fromY] = [x * air.width, 0]
  for (const [i, turn] of bolt.entries()) {
    const toX = fromX + turn * 52 * scale
    const toY = fromY + (19 + 13 * bolt[(i + 7) % bolt.length]!) * scale
    const steps = Math.ceil(Math.hypot(toX - fromX, toY - fromY))
    for (let step = 0; step < steps; step++) {
      const px = fromX + ((toX - fromX) * step) / steps
      const py = fromY + ((toY - fromY) * step) / steps
      const row = Math.min(height - 1, py >> 1)
      const column = Math.min(width - 1, Math.max(0, px >> 1))
      // It strikes behind everything but the sky.
      const open = air.sky ? air.sky[row * width + column]! / 255 : 0
      if (open < 0.2) continue
      const thick = (1.6 - (0.9 * i) / bolt.length) * scale
      disc(glow, air, px, py, thick * 1.5, level * 0.7 * open, 0.3)
      if (step % 4 === 0) disc(glow, air, px, py, 13 * scale, level * 0.07 * open, 0)
    }
    fromX = toX
    fromY = toY
  }
}

/** The light goes: first warm, then blue and dim; the sky keeps more of it than the ground. */
export function dusk({ strength, air, seconds }: EffectScene): AirDrawing {
  const { width, height } = air.half
  const map = new Uint8Array(width * height)
  return (second) => {
    const share = Math.min(1, second / Math.max(1, seconds * 0.96))
    const deep = share * share * (3 - 2 * share) * Math.min(1.15, 0.95 * strength)
    const warm = Math.sin(Math.PI * Math.min(1, share * 1.1)) * 0.5
    // The ground goes dark before the sky: a thin dark veil by nearness.
    for (let i = 0; i < map.length; i++) {
      const ground = air.sky ? 1 - air.sky[i]! / 255 : air.near ? air.near[i]! / 255 : 0.5
      map[i] = 105 * deep * ground
    }
    air.setVeil(map)
    air.setGlow(null)
    const gain = [
      (1 + 0.1 * warm) * (1 - 0.74 * deep),
      (1 - 0.06 * warm) * (1 - 0.7 * deep),
      (1 - 0.3 * warm) * (1 - 0.48 * deep),
    ] as const
    return { ...plain, gain, veil: [0.008, 0.011, 0.024] } satisfies Mood
  }
}
