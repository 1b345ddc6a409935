// Rain and snow: falling things at three distances and more, with what they do to the light.

import { type Air, type AirDrawing, type EffectScene, steady } from './air.ts'
import { type Colour, plain } from './mood.ts'
import { disc, makeParticles, streak, visibility, wrap } from './particles.ts'

/** How much light water and snow in the air catch: little at night, where a mist as bright as by day would grey everything. */
function caughtLight([r, g, b]: Colour): number {
  return Math.min(1, (0.2126 * r + 0.7152 * g + 0.0722 * b) / 0.35)
}

export function rain(scene: EffectScene): AirDrawing {
  const { seed, strength, air, ambient } = scene
  const drops = makeParticles(Math.round(780 * strength), seed ^ 0x4a19)
  const splashes = makeParticles(Math.round(70 * strength), seed ^ 0x59a5)
  const scale = air.height / 720
  const light = caughtLight(ambient)
  const slant = 0.06 + 0.05 * ((seed % 7) / 7)
  const lit = 0.4 + 0.6 * light
  const veil: Colour = [0.62 * lit, 0.66 * lit, 0.72 * lit]
  function draw(second: number, level: number, plane: Uint8Array): void {
    for (const drop of drops) {
      const speed = 1.15 + 1.1 * drop.near + 0.2 * drop.a
      const y = wrap(drop.y + speed * second) * 1.2 - 0.1
      // A drop that has fallen through comes down somewhere else.
      const round = Math.floor(drop.y + speed * second)
      const x = wrap(drop.x + round * 0.618 + slant * y)
      const length = (12 + 34 * drop.near) * scale * (0.8 + 0.4 * drop.b)
      const shown = visibility(air, x * air.width, y * air.height, drop.near)
      const alpha = level * (62 - 26 * drop.near) * (1.5 - 0.5 * light) * shown
      streak(
        plane,
        air,
        x * air.width,
        y * air.height,
        -length * slant * -1.2,
        length,
        (0.9 + 0.9 * drop.near) * scale,
        alpha,
      )
    }
    for (const splash of splashes) drawSplash(air, plane, splash, second, level, scale)
  }
  return steady(scene, {
    mood(level) {
      const dark = 1 - (0.14 + 0.16 * light) * level * Math.min(1.2, strength)
      return { ...plain, gain: [dark * 0.96, dark * 0.985, dark], veil }
    },
    // Far things fade a little: the air is full of water.
    mist: (level) => 34 * light * level * Math.min(1, strength),
    draw,
  })
}

/** A small ring on the ground: only low in the frame, where depth grows towards the camera. */
function drawSplash(
  air: Air,
  veil: Uint8Array,
  { x, y, a, b }: { x: number; y: number; a: number; b: number },
  second: number,
  level: number,
  scale: number,
): void {
  const life = 0.28 + 0.1 * b
  const turn = second / life + a
  const round = Math.floor(turn)
  const age = turn - round
  const px = wrap(x + round * 0.7548) * air.width
  const py = (0.66 + 0.33 * wrap(y + round * 0.5698)) * air.height
  if (!isGround(air, px, py)) return
  const radius = (0.8 + 3 * age) * scale * (0.5 + (py / air.height - 0.6) * 1.6)
  const alpha = 26 * level * (1 - age)
  for (let i = 0; i < 14; i++) {
    const angle = (i / 14) * 2 * Math.PI
    disc(veil, air, px + radius * Math.cos(angle), py + 0.38 * radius * Math.sin(angle), 1.1 * scale, alpha, 0)
  }
}

/** Ground comes nearer downwards; walls and things that stand do not. */
function isGround(air: Air, x: number, y: number): boolean {
  const near = air.nearAbout
  if (!near) return false
  const { width, height } = air.half
  const column = Math.min(width - 1, x >> 1)
  const row = y >> 1
  const step = Math.max(2, Math.round(height * 0.045))
  if (row < step || row + step >= height) return false
  const slope = near[(row + step) * width + column]! - near[(row - step) * width + column]!
  return slope > 9 && slope < 70
}

export function snow(scene: EffectScene): AirDrawing {
  const { seed, strength, air, ambient } = scene
  const flakes = makeParticles(Math.round(900 * strength), seed ^ 0x5309)
  const scale = air.height / 720
  const light = caughtLight(ambient)
  function draw(second: number, level: number, veil: Uint8Array): void {
    for (const flake of flakes) {
      const speed = 0.07 + 0.2 * flake.near + 0.03 * flake.a
      const fallen = flake.y + speed * second
      const y = wrap(fallen) * 1.1 - 0.05
      const sway = (0.006 + 0.012 * flake.near) * Math.sin(second * (0.7 + flake.b) + 6.283 * flake.a)
      const x = wrap(flake.x + Math.floor(fallen) * 0.618 + sway + 0.015 * second * (0.4 + flake.near))
      const own = (1.3 + 2.9 * flake.near + 19 * Math.max(0, flake.near - 0.72)) * scale
      // Never smaller than what it falls while the shutter is open, half of a frame's time, nor than two pixels: a sharper
      // dot would flicker as it passes from row to row. What it loses in sharpness it loses in brightness.
      const radius = Math.max(own, 1.9 * scale, (0.8 * speed * air.height) / 48)
      const shown = visibility(air, x * air.width, y * air.height, flake.near)
      const blur = flake.near > 0.72 ? 0.42 : own / radius
      const alpha = level * 240 * blur * shown * (0.5 + 0.5 * flake.b)
      disc(veil, air, x * air.width, y * air.height, radius, alpha, 0.1)
    }
  }
  const lit = 0.5 + 0.5 * light
  return steady(scene, {
    mood(level) {
      const dim = 1 - 0.08 * level
      return { ...plain, gain: [dim * 0.97, dim * 0.985, dim], veil: [0.86 * lit, 0.89 * lit, 0.94 * lit] }
    },
    mist: (level) => 34 * light * level * Math.min(1, strength),
    draw,
  })
}

/** Flakes of ash: grey, few, slower than snow, and tumbling. */
export function ash(scene: EffectScene): AirDrawing {
  const { seed, strength, air, ambient } = scene
  const flakes = makeParticles(Math.round(420 * strength), seed ^ 0xa54)
  const scale = air.height / 720
  const grey = 0.16 + 0.24 * Math.max(...ambient)
  function draw(second: number, level: number, veil: Uint8Array): void {
    for (const flake of flakes) {
      const fallen = flake.y + (0.03 + 0.09 * flake.near + 0.02 * flake.a) * second
      const y = wrap(fallen) * 1.1 - 0.05
      const sway = 0.02 * Math.sin(second * (0.5 + 0.7 * flake.b) + 6.283 * flake.a)
      const x = wrap(flake.x + Math.floor(fallen) * 0.618 + sway + 0.012 * second)
      const turn = second * (1 + flake.b) + 6.283 * flake.b
      const radius = (2 + 4.4 * flake.near + 16 * Math.max(0, flake.near - 0.75)) * scale
      const shown = level * visibility(air, x * air.width, y * air.height, flake.near)
      const alpha = 215 * (flake.near > 0.75 ? 0.4 : 1) * shown
      // Two halves that turn about each other: a flake is not a ball.
      const [leanX, leanY] = [0.34 * radius * Math.cos(turn), 0.34 * radius * Math.sin(turn * 1.3)]
      const [px, py] = [x * air.width, y * air.height]
      disc(veil, air, px + leanX, py + leanY, radius * 0.7, alpha, 0.1)
      disc(veil, air, px - leanX, py - leanY, radius * 0.55, alpha, 0.1)
    }
  }
  return steady(scene, {
    mood(level) {
      const dim = 1 - 0.14 * level
      return { ...plain, gain: [dim, dim * 0.98, dim * 0.95], veil: [grey, grey * 0.98, grey * 0.96] }
    },
    draw,
  })
}
