// What the sun does: rays in the air, and a flare in the lens.

import type { Air, AirDrawing, EffectScene } from './effect-scene.ts'
import { type Colour, type Mood, plain } from './mood.ts'
import { cloudNoise, noiseAt, noiseSide } from './noise.ts'
import { pixelsWithin } from './particles.ts'
import type { Place } from './picture-light.ts'

const steps = 26
/** Each step is divided into this many. */
const fineSteps = 6
/** How far along its way from the light a beam is gathered. */
const reachShare = 0.72
/** Beams per turn, how sharply they stand apart, and how bright they are. Light from a window is wider and softer. */
const beamsInView = { turns: 2, from: 0.35, contrast: 2.6, bright: 1.5 }
const beamsFromAside = { turns: 3, from: 0, contrast: 1, bright: 0.5 }

/** What is bright and far in the picture, smeared away from the light, so that trunks and roofs cut the beams. */
export function sunrays({ strength, air, ambient, ...scene }: EffectScene): AirDrawing {
  const sun = scene.sun()
  const noise = cloudNoise()
  const { half } = air
  // Beams are smooth: a quarter of the frame's size is enough.
  const width = half.width >> 1
  const height = half.height >> 1
  const source = new Float32Array(width * height)
  const smeared = new Float32Array(width * height)
  const beams = new Float32Array(width * height)
  const map = new Uint8Array(half.width * half.height)
  let [sunX, sunY] = [sun.x * width, sun.y * height]
  const diagonal = Math.hypot(width, height)
  const { turns, from, contrast, bright } = sun.unseen ? beamsFromAside : beamsInView
  // A dark picture has little light that could fall in from aside.
  const most = sun.unseen ? bright * Math.min(1, Math.max(...ambient) / 0.5) : sun.shown ? 1 : bright
  let brightest = 0

  function gather(second: number): void {
    const emission = air.bright
    for (let row = 0, i = 0; row < height; row++) {
      for (let column = 0; column < width; column++, i++) {
        const at = row * 2 * half.width + column * 2
        const angle = Math.atan2(column - sunX, row - sunY) * (noiseSide / (2 * Math.PI))
        // A whole turn is a whole number of tiles, so that no seam shows where the angle wraps around.
        const broken = noiseAt(noise, angle * turns + second * 1.4, second * 3 + 30)
        const shaft = Math.min(1, Math.max(0, (broken - from) * contrast))
        // What is bright in a close picture is lit: it sends out no beams.
        const emitted = emission && !sun.unseen ? emission[at]! / 255 : 0.35
        source[i] = (0.06 + emitted) * shaft
      }
    }
  }

  /** Smears the source over one step of the way to the light: steps across bare trunks would show as a weave. */
  function smear(): void {
    for (let row = 0, i = 0; row < height; row++) {
      for (let column = 0; column < width; column++, i++) {
        const share = reachShare / steps / fineSteps
        const stepX = (sunX - column) * share
        const stepY = (sunY - row) * share
        let [x, y, sum] = [column + 0.5, row + 0.5, 0]
        for (let step = 0; step < fineSteps; step++, x += stepX, y += stepY) {
          const own = x < 0 ? 0 : x >= width ? width - 1 : x | 0
          const line = y < 0 ? 0 : y >= height ? height - 1 : y | 0
          sum += source[line * width + own]!
        }
        smeared[i] = sum / fineSteps
      }
    }
  }

  return (second, level) => {
    if (!sun.unseen) {
      const { x, y } = air.now(sun)
      ;[sunX, sunY] = [x * width, y * height]
    }
    gather(second)
    smear()
    let peak = 0
    for (let row = 0, i = 0; row < height; row++) {
      for (let column = 0; column < width; column++, i++) {
        const stepX = ((sunX - column) * reachShare) / steps
        const stepY = ((sunY - row) * reachShare) / steps
        let [x, y, sum, weight] = [column + 0.5, row + 0.5, 0, 1]
        for (let step = 0; step < steps; step++, x += stepX, y += stepY, weight *= 0.955) {
          // What lies beyond an edge is as bright as the edge.
          const own = x < 0 ? 0 : x >= width ? width - 1 : x | 0
          const line = y < 0 ? 0 : y >= height ? height - 1 : y | 0
          sum += weight * smeared[line * width + own]!
        }
        beams[i] = sum
        if (sum > peak) peak = sum
      }
    }
    brightest = Math.max(brightest, peak, 1e-6)
    const { near, bright: emission } = air
    for (let row = 0, i = 0; row < half.height; row++) {
      const y = Math.min(height - 1.001, Math.max(0, row / 2 - 0.25))
      const upper = (y | 0) * width
      const lower = Math.min(height - 1, (y | 0) + 1) * width
      const fy = y - (y | 0)
      for (let column = 0; column < half.width; column++, i++) {
        const x = Math.min(width - 1.001, Math.max(0, column / 2 - 0.25))
        const left = x | 0
        const right = Math.min(width - 1, left + 1)
        const fx = x - left
        const above = beams[upper + left]! * (1 - fx) + beams[upper + right]! * fx
        const below = beams[lower + left]! * (1 - fx) + beams[lower + right]! * fx
        const beam = (above * (1 - fy) + below * fy) / brightest
        const distance = Math.hypot(column / 2 - sunX, row / 2 - sunY) / diagonal
        // What shines itself shows beams less: a bright sky would turn white.
        const shines = emission ? 1 - 0.7 * (emission[i]! / 255) : 1
        const open = (near ? 1 - 0.6 * (near[i]! / 255) : 0.75) * shines
        const light = level * Math.min(1.4, strength) * (beam ** 1.6 * Math.exp(-1.1 * distance) * open)
        // Around the light itself all is light: beams that met in a point would cut its disc into slices.
        const bloom = 0.16 * Math.exp(-11 * distance) + (sun.shown ? 0.75 * Math.exp(-900 * distance * distance) : 0)
        // The glow's level counts squared.
        map[i] = 255 * Math.sqrt(Math.min(1, most * light + level * bloom))
      }
    }
    air.setVeil(null)
    air.setGlow(map)
    const dim = 1 - 0.1 * level
    return { ...plain, gain: [dim, dim * 0.99, dim * 0.96], glow: [1, 0.86, 0.56] } satisfies Mood
  }
}

/**
 * Reflections between the lenses, on the line from the light through the middle of the frame: 0 is the light, 1 the middle,
 * 2 opposite to the light. Radius and place are shares of the frame's height and of that line.
 */
const ghosts: { colour: Colour; spots: [at: number, radius: number, light: number][] }[] = [
  {
    colour: [1, 0.62, 0.3],
    spots: [
      [0.42, 0.022, 0.16],
      [1.22, 0.055, 0.1],
      [1.85, 0.13, 0.05],
    ],
  },
  {
    colour: [0.32, 0.72, 1],
    spots: [
      [0.68, 0.04, 0.09],
      [1.45, 0.018, 0.16],
      [1.62, 0.085, 0.06],
    ],
  },
]

/** Null where the frame does not show its light: without it, discs and a veil would only harm the picture. */
export function flare({ strength, air, highlight, ...scene }: EffectScene): AirDrawing[] | null {
  const sun = scene.sun()
  if (sun.unseen || sun.y < 0) return null
  const brightest = Math.max(...highlight)
  const [r, g, b] = highlight.map((own) => 0.7 + (0.3 * own) / brightest)
  const map = new Uint8Array(air.half.width * air.half.height)
  const drawing =
    (colour: Colour, draw: (light: Place, level: number) => void): AirDrawing =>
    (second, level) => {
      const { x, y } = air.now(sun)
      // Light through moving air is never quite steady.
      const shimmer = 1 + 0.05 * Math.sin(second * 2.3) + 0.03 * Math.sin(second * 5.9)
      map.fill(0)
      draw({ x: x * air.half.width, y: y * air.half.height }, level * shimmer * Math.min(1.4, strength))
      air.setVeil(null)
      air.setGlow(map)
      return { ...plain, glow: colour } satisfies Mood
    }
  return [
    drawing([r!, g! * 0.94, b! * 0.82], (light, level) => drawGlare(air, map, light, level)),
    ...ghosts.map(({ colour, spots }) =>
      drawing(colour, (light, level) => {
        const [towardsX, towardsY] = [air.half.width / 2 - light.x, air.half.height / 2 - light.y]
        for (const [at, radius, bright] of spots) {
          const place = { x: light.x + at * towardsX, y: light.y + at * towardsY }
          drawGhost(air, map, place, radius * air.half.height, level * bright)
        }
      }),
    ),
  ]
}

/** Per diagonal of the frame. */
const bloomSteps = 512
/** By the distance from the light, up to two diagonals: an exponential for each pixel would cost more than the rest. */
const bloom = Float32Array.from({ length: 2 * bloomSteps + 1 }, (_, i) => {
  const distance = i / bloomSteps
  return 0.5 * Math.exp(-26 * distance) + 0.1 * Math.exp(-5 * distance)
})

/** The light's own bloom, and the streak that a wide lens draws from it across the frame. */
function drawGlare({ half }: Air, map: Uint8Array, light: Place, level: number): void {
  const diagonal = Math.hypot(half.width, half.height)
  const along = Float32Array.from({ length: half.width }, (_, column) =>
    Math.exp((-6 * Math.abs(column - light.x)) / half.width),
  )
  for (let row = 0, i = 0; row < half.height; row++) {
    const away = Math.abs(row - light.y) / half.height
    const streak = 0.2 * Math.exp(-((away / 0.006) ** 2)) + 0.06 * Math.exp(-away / 0.016)
    for (let column = 0; column < half.width; column++, i++) {
      const distance = Math.hypot(column - light.x, row - light.y) / diagonal
      const sum = bloom[Math.min(bloom.length - 1, (distance * bloomSteps) | 0)]! + streak * along[column]!
      // The glow's level counts squared.
      map[i] = 255 * Math.sqrt(Math.min(1, level * sum))
    }
  }
}

/** An even disc with a soft edge, a little brighter at its rim. */
function drawGhost({ half }: Air, map: Uint8Array, place: Place, radius: number, light: number): void {
  const soft = Math.max(1.5, radius * 0.16)
  const { left, right, top, bottom } = pixelsWithin(half, place.x, place.y, radius)
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const distance = Math.hypot(column - place.x, row - place.y)
      const edge = Math.min(1, (radius - distance) / soft)
      if (edge <= 0) continue
      const at = row * half.width + column
      const shown = light * edge * (0.55 + 0.45 * (distance / radius) ** 2)
      map[at] = 255 * Math.sqrt(Math.min(1, (map[at]! / 255) ** 2 + shown))
    }
  }
}
