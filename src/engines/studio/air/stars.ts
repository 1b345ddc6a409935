// Lights that belong to the picture and travel with it: stars in a dark sky, and glints on water. They are points on planes
// of the picture's own size; groups of them twinkle in turn.

import { seededRandom } from '../../../video/random.ts'
import { findWater, namedSky } from '../effects/regions.ts'
import { crestPace, crestPhase } from '../effects/waves.ts'
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
  const found = scene.analysis && namedSky(scene.analysis)
  const sky = found && air.ofSource(found)
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

/** Glints that light up one after another as a crest runs under them are in these groups. */
const crestGroups = 4
const glintsMax = 1500

/** Water glints along the crests of its waves: faintly everywhere, brightly where it mirrors light. */
export function glints({ seed, strength, air, analysis, highlight }: EffectScene): AirDrawing[] | null {
  const found = analysis && findWater(analysis)
  const water = found && air.ofSource(found)
  if (!water) return null
  const green = Float32Array.from({ length: found.data.length }, (_, i) => analysis.rgb[i * 3 + 1]! / 255)
  const luma = air.ofSource({ data: green, width: found.width, height: found.height })!
  const levels = luma.data.filter((_, i) => water.data[i]! > 0.6).toSorted()
  const levelAt = (share: number) => levels[Math.floor(levels.length * share)] ?? 1
  const [usual, bright] = [levelAt(0.5), Math.max(levelAt(0.95), levelAt(0.5) + 0.04)]
  const random = seededRandom(seed ^ 0x911)
  const crests: Point[][] = Array.from({ length: crestGroups }, () => [])
  let count = 0
  for (let i = 0; i < 12_000 * strength && count < glintsMax; i++) {
    const [x, y] = [random(), random()]
    const at = Math.floor(y * water.height) * water.width + Math.floor(x * water.width)
    if (water.data[at]! < 0.7) continue
    const mirrors = Math.min(1, Math.max(0, (luma.data[at]! - usual) / (bright - usual)))
    // In the dark, a glint that mirrors nothing would show as a dash.
    const light = luma.data[at]! * (0.04 + 0.05 * random()) + mirrors ** 2 * (0.06 + 0.4 * random() ** 3)
    const turns = crestPhase(x, y) / (2 * Math.PI)
    const group = Math.floor((turns - Math.floor(turns)) * crestGroups)
    crests[group]!.push({ x, y, light, radius: 0.4 + 0.9 * y, wide: 5 + 3 * random() })
    count++
  }
  if (count < 12) return null
  const colour = highlight.map((part) => Math.min(0.9, 0.25 + part)) as unknown as Colour
  return crests.map((points, group) => {
    const plane = air.pointPlane(points)
    const phase = (2 * Math.PI * (group + 0.5)) / crestGroups - Math.PI / 2
    return (second, level) => {
      const light = level * Math.max(0, Math.cos(phase + crestPace * second))
      air.clear()
      air.setGlowFrom(light > 0.01 ? plane : null)
      return { ...plain, glow: colour.map((part) => part * light) as unknown as Colour }
    }
  })
}
