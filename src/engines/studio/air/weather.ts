// Weather: rain, snow and ash fall at three distances and more, with what they do to the light; fog drifts behind near things.

import { framesPerSecond } from '../../../video/av/timing.ts'
import { smoothstep } from '../../../video/smoothstep.ts'
import { type Air, type AirDrawing, type EffectScene, steady } from './effect-scene.ts'
import { type Colour, type Mood, plain } from './mood.ts'
import { cloudNoise, noiseAt } from './noise.ts'
import { disc, makeParticles, streak, visibility, wrap } from './particles.ts'
import { brightnessOf } from './picture-light.ts'

/** How much light water and snow in the air catch: little at night, where a mist as bright as by day would grey everything. */
function caughtLight(ambient: Colour): number {
  return Math.min(1, brightnessOf(ambient) / 0.35)
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
      // A drop that has left the frame falls again at another place.
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
        1.2 * length * slant,
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
      const radius = Math.max(own, 1.9 * scale, (0.8 * speed * air.height) / (2 * framesPerSecond))
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

/** How dense fog is at the farthest, and the exponent by which it thins out towards the camera. */
const fogMost = 0.94
const fogThins = 1.5

export function fog({ strength, air, ambient, highlight, mean }: EffectScene): AirDrawing {
  const noise = cloudNoise()
  const { width, height } = air.half
  const map = new Uint8Array(width * height)
  const scale = 190 / height
  const veil = fogColour(ambient, highlight, mean)
  let top: number | null = null
  let byNearness: Float32Array | null = null
  return (second, level) => {
    const most = 255 * Math.min(0.97, fogMost * strength) * level
    const [driftX, driftY] = [second * 5, second * 1.1]
    const { near } = air
    // In a wood or a room nothing is far: then fog is densest on what is farthest of it.
    top ??= fogTop(air.sky)
    byNearness ??= near && fogByNearness(near)
    for (let row = 0, i = 0; row < height; row++) {
      const low = lowness(row / height, top)
      for (let column = 0; column < width; column++, i++) {
        const far = near ? byNearness![near[i]!]! : 0.55
        const slow = noiseAt(noise, column * scale + driftX, row * scale * 2 + driftY)
        const quick = noiseAt(noise, column * scale * 2.1 - driftX * 0.6, row * scale * 2.6 + 90)
        const dense = 0.42 + 0.46 * slow + 0.24 * quick
        map[i] = most * low * (0.06 + 0.94 * far) * (dense > 1 ? 1 : dense)
      }
    }
    air.setVeil(map)
    air.setGlow(null)
    return { ...plain, veil } satisfies Mood
  }
}

/** Fog has the colour of the picture's light, paler, and shines in the light between the trunks of a dark wood. */
function fogColour(ambient: Colour, highlight: Colour, mean: Colour): Colour {
  const [lit, lights] = [brightnessOf(ambient), brightnessOf(highlight)]
  // The lamps of a night do not make a day of it.
  const bright = Math.min(Math.max(lit, 0.5 * lights), 0.07 + 2.4 * brightnessOf(mean))
  return ambient.map((own) => bright * (0.45 * (own / lit) + 0.55)) as unknown as Colour
}

/** Fog lies low: it thins out above `top`. Both are shares of the frame's height. */
function lowness(down: number, top: number): number {
  return 1 - 0.65 * smoothstep((top - down) / fogThinning)
}

/** Where fog begins to thin out: in the middle of the frame, or above the horizon of a high sky. */
function fogTop(sky: Uint8Array | null): number {
  const share = sky ? sky.reduce((sum, own) => sum + own, 0) / (255 * sky.length) : 0
  return Math.max(0.5, share)
}

const fogThinning = 0.5

/** How dense fog is at each nearness, 0 to 1: full for the farthest tenth of the frame. */
function fogByNearness(near: Uint8Array): Float32Array {
  const counts = new Uint32Array(256)
  for (const own of near) counts[own]!++
  let farthest = 0
  for (let sum = counts[0]!; sum < near.length / 10; sum += counts[farthest]!) farthest++
  return Float32Array.from({ length: 256 }, (_, own) => {
    return Math.min(1, (255 - own) / (255 - Math.min(170, farthest))) ** fogThins
  })
}
