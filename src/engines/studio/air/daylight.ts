// Light that changes as a whole: the day goes or comes, the air turns warm or cold, a flame flickers.

import { smoothstep } from '../../../video/smoothstep.ts'
import { type AirDrawing, type EffectScene, steady } from './effect-scene.ts'
import { type Colour, type Mood, plain } from './mood.ts'

/** How much of a change that takes a whole video is done: all of it where a video before has shown it. */
function changed(second: number, seconds: number, played: number): number {
  return played > 0 ? 1 : Math.min(1, second / Math.max(1, seconds * 0.96))
}

/** The light goes: first warm, then blue and dim; the sky keeps more of it than the ground. */
export function dusk({ strength, air, seconds, played }: EffectScene): AirDrawing {
  const { width, height } = air.half
  const map = new Uint8Array(width * height)
  return (second) => {
    const share = changed(second, seconds, played)
    const deep = smoothstep(share) * Math.min(1.15, 0.95 * strength)
    const warm = Math.sin(Math.PI * Math.min(1, share * 1.1)) * 0.5
    // The ground goes dark before the sky: a thin dark veil by nearness.
    const { near } = air
    const sky = near ? null : air.sky
    for (let i = 0; i < map.length; i++) {
      const ground = near ? Math.min(1, near[i]! / 190) : sky ? 1 - sky[i]! / 255 : 0.5
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

/** The sun comes up: warmth and light grow from the horizon. */
export function sunrise({ strength, air, seconds, played, ...scene }: EffectScene): AirDrawing {
  const sun = scene.sun()
  const { width, height } = air.half
  const map = new Uint8Array(width * height)
  // Light from above the frame says nothing of where the sun rises.
  const horizon = { x: sun.x, y: sun.y > 0.15 ? sun.y : 0.52 }
  return (second) => {
    const place = air.now(horizon)
    const [x, y] = [place.x * width, place.y * height]
    const share = changed(second, seconds, played)
    const come = smoothstep(share) * Math.min(1.2, strength)
    const { near, sky } = air
    for (let row = 0, i = 0; row < height; row++) {
      for (let column = 0; column < width; column++, i++) {
        const distance = Math.hypot((column - x) / width, ((row - y) / height) * 0.8)
        const open = near ? 1 - 0.5 * (near[i]! / 255) : 0.75
        // What stands before the sun hides it.
        const seen = sky ? 0.15 + 0.85 * (sky[i]! / 255) : open
        const light = 0.1 * open * Math.exp(-2.2 * distance) + 0.2 * seen * Math.exp(-9 * distance)
        map[i] = 255 * Math.sqrt(Math.min(1, come * light))
      }
    }
    air.setVeil(null)
    air.setGlow(map)
    const gain = [1 + 0.2 * come, 1 + 0.06 * come, 1 - 0.12 * come] as const
    return { ...plain, gain, glow: [1.1, 0.72, 0.34] } satisfies Mood
  }
}

/** A tint of all light. */
function tint(gain: Colour) {
  return (scene: EffectScene): AirDrawing =>
    steady(scene, {
      mood(level) {
        const share = level * Math.min(1.4, scene.strength)
        return { ...plain, gain: gain.map((own) => 1 + (own - 1) * share) as unknown as Colour }
      },
    })
}

export const warm = tint([1.16, 1, 0.74])
export const cold = tint([0.66, 0.92, 1.2])

/** Light of a candle or a fire: warm and restless. A lamp's light has no tint of its own, and goes out for moments. */
export function flicker({ strength, air, seed, electric }: EffectScene): AirDrawing {
  const phase = seed % 31
  const share = Math.min(1.4, strength)
  return (second, level) => {
    air.setVeil(null)
    air.setGlow(null)
    const wave = (hertz: number, own: number) => Math.sin(2 * Math.PI * hertz * second + phase * own)
    if (electric) {
      const fails = Math.max(0, wave(1.1, 1) * wave(3.7, 2.3) + 0.35 * wave(9.3, 3.1) - 0.35)
      const lit = 1 - level * Math.min(0.5, 0.55 * share * fails) - 0.02 * level * share * (1 + wave(5.3, 4.7))
      return { ...plain, gain: [lit, lit, lit] } satisfies Mood
    }
    const restless = 0.42 * wave(1.3, 1) + 0.3 * wave(2.9, 2.3) + 0.18 * wave(5.3, 3.1) + 0.1 * wave(8.1, 4.7)
    const bright = 1 + share * level * (0.16 * restless - 0.06)
    return { ...plain, gain: [bright * (1 + 0.1 * level), bright, bright * (1 - 0.16 * level)] } satisfies Mood
  }
}
