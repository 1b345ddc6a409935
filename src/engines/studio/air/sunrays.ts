// Sunrays: what is bright and far in the picture, smeared away from the light, so that trunks and roofs cut the beams.

import type { AirDrawing, EffectScene } from './air.ts'
import { type Mood, plain } from './mood.ts'
import { cloudNoise, noiseAt, noiseSide } from './noise.ts'

const steps = 26
/** How far along its way from the light a beam is gathered. */
const reachShare = 0.72

export function sunrays({ strength, air, sun }: EffectScene): AirDrawing {
  const noise = cloudNoise()
  const { half } = air
  // Beams are smooth: a quarter of the frame's size is enough.
  const width = half.width >> 1
  const height = half.height >> 1
  const source = new Float32Array(width * height)
  const beams = new Float32Array(width * height)
  const map = new Uint8Array(half.width * half.height)
  const [sunX, sunY] = [sun.x * width, sun.y * height]
  const diagonal = Math.hypot(width, height)
  let brightest = 0

  function gather(second: number): void {
    const { bright } = air
    for (let row = 0, i = 0; row < height; row++) {
      for (let column = 0; column < width; column++, i++) {
        const at = row * 2 * half.width + column * 2
        const angle = Math.atan2(column - sunX, row - sunY) * (noiseSide / (2 * Math.PI))
        // A whole turn is a whole number of tiles, so that no seam shows where the angle starts anew.
        const broken = noiseAt(noise, angle * 2 + second * 1.4, second * 3 + 30)
        const shaft = Math.min(1, Math.max(0, (broken - 0.35) * 2.6))
        const emitted = bright ? bright[at]! / 255 : 0.35
        source[i] = (0.06 + emitted) * shaft
      }
    }
  }

  return (second, level) => {
    gather(second)
    let most = 0
    for (let row = 0, i = 0; row < height; row++) {
      for (let column = 0; column < width; column++, i++) {
        const stepX = ((sunX - column) * reachShare) / steps
        const stepY = ((sunY - row) * reachShare) / steps
        let [x, y, sum, weight] = [column + 0.5, row + 0.5, 0, 1]
        for (let step = 0; step < steps; step++, x += stepX, y += stepY, weight *= 0.955) {
          // What lies beyond the upper edge is as bright as the edge.
          const inside = y < 0 ? 0 : y | 0
          if (x < 0 || x >= width || inside >= height) continue
          sum += weight * source[inside * width + (x | 0)]!
        }
        beams[i] = sum
        if (sum > most) most = sum
      }
    }
    brightest = Math.max(brightest, most, 1e-6)
    const { near } = air
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
        const open = near ? 1 - 0.6 * (near[i]! / 255) : 0.75
        const light = level * Math.min(1.4, strength) * (beam ** 1.6 * Math.exp(-1.1 * distance) * open)
        // The glow's level counts squared.
        map[i] = 255 * Math.sqrt(Math.min(1, 1.25 * light + 0.16 * level * Math.exp(-11 * distance)))
      }
    }
    air.setVeil(null)
    air.setGlow(map)
    const dim = 1 - 0.1 * level
    return { ...plain, gain: [dim, dim * 0.99, dim * 0.96], glow: [1, 0.86, 0.56] } satisfies Mood
  }
}
