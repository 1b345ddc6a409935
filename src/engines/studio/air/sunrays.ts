// Sunrays: what is bright and far in the picture, smeared away from the light, so that trunks and roofs cut the beams.

import type { AirDrawing, EffectScene } from './air.ts'
import { type Mood, plain } from './mood.ts'
import { cloudNoise, noiseAt, noiseSide } from './noise.ts'

const steps = 26
/** Into how many each of them is parted. */
const fineSteps = 6
/** How far along its way from the light a beam is gathered. */
const reachShare = 0.72
/** Beams per turn, how sharply they stand apart, and how bright they are. Light from a window is wider and softer. */
const beamsInView = { turns: 2, from: 0.35, contrast: 2.6, bright: 1.5 }
const beamsFromAside = { turns: 3, from: 0, contrast: 1, bright: 0.5 }

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
        // A whole turn is a whole number of tiles, so that no seam shows where the angle starts anew.
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
