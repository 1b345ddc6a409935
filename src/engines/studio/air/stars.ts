// Lights that belong to the picture and travel with it: stars in a dark sky, and glints on water. They are points on planes
// of the picture's own size; groups of them twinkle in turn.

import { seededRandom } from '../../../video/random.ts'
import { findWater } from '../effects/regions.ts'
import type { AirDrawing, EffectScene } from './effect-scene.ts'
import { type Colour, type Mood, plain } from './mood.ts'
import type { Point } from './points.ts'

const groups = 3

/** Points that twinkle, group by group. `pace` is turns per second. */
function twinkling(air: EffectScene['air'], points: Point[], colour: Colour, pace: number): AirDrawing[] {
  return Array.from({ length: groups }, (_, group) => {
    const plane = air.pointPlane(points.filter((_, i) => i % groups === group))
    return (second: number, level: number) => {
      air.clear()
      air.setGlowFrom(plane)
      const turn = Math.sin(2 * Math.PI * (pace * second * (1 + 0.23 * group) + group / groups))
      const bright = level * (0.55 + 0.45 * turn)
      return { ...plain, glow: colour.map((part) => part * bright) as unknown as Colour } satisfies Mood
    }
  })
}

/** Stars where the sky is open; a sky that is not dark has none. */
export function stars(scene: EffectScene): AirDrawing[] | null {
  const { seed, strength, air } = scene
  const sky = scene.sight?.sky && air.ofSource(scene.sight.sky)
  if (!sky || !scene.night()) return null
  const random = seededRandom(seed ^ 0x57a2)
  const points: Point[] = []
  for (let i = 0; i < 900 * strength; i++) {
    const [x, y] = [random(), random()]
    const column = Math.min(sky.width - 1, Math.floor(x * sky.width))
    const row = Math.min(sky.height - 1, Math.floor(y * sky.height))
    const light = 0.2 + 0.8 * random() ** 5
    // Haze hides stars near the horizon.
    const clear = 1 - y * 0.6
    if (sky.data[row * sky.width + column]! < 0.97 || random() > clear) continue
    points.push({ x, y, light: light * clear, radius: 0.7 + 1.1 * light })
  }
  return points.length < 12 ? null : twinkling(air, points, [0.95, 0.97, 1.1], 0.35)
}

/** Where water is bright, it glints. */
export function glints({ seed, strength, air, sight }: EffectScene): AirDrawing[] | null {
  const found = sight && findWater(sight)
  const water = found && air.ofSource(found)
  if (!water) return null
  const green = Float32Array.from({ length: found.data.length }, (_, i) => sight.rgb[i * 3 + 1]! / 255)
  const luma = air.ofSource({ data: green, width: found.width, height: found.height })!
  const random = seededRandom(seed ^ 0x911)
  const bright = luma.data.filter((_, i) => water.data[i]! > 0.6).toSorted()
  const least = bright[Math.floor(bright.length * 0.86)] ?? 1
  const points: Point[] = []
  for (let i = 0; i < 5200 * strength && points.length < 620; i++) {
    const [x, y] = [random(), random()]
    const at = Math.floor(y * water.height) * water.width + Math.floor(x * water.width)
    if (water.data[at]! < 0.7 || luma.data[at]! < least) continue
    points.push({ x, y, light: 0.1 + 0.4 * random() ** 3, radius: 0.35 + 0.55 * y, wide: 5 })
  }
  return points.length < 12 ? null : twinkling(air, points, [0.9, 0.9, 0.85], 1.1)
}
