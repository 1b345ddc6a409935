// Things that flutter down: leaves, petals, confetti. Each spins as it falls and shows sometimes its face, sometimes its
// edge. One drawing per colour, because the air has one colour at a time.

import { type AirDrawing, drawing, type EffectScene } from './effect-scene.ts'
import type { Colour } from './mood.ts'
import { type Particle, wrap } from './particles.ts'
import { type Moment, particles } from './passes.ts'

export interface Falling {
  count: number
  /** Half its length in pixels of 720 lines, far and near. */
  size: [far: number, near: number]
  /** Its width by its length. */
  slim: number
  /** How its outline narrows towards its ends: 0 is a strip, 1 a leaf. */
  pointed: number
  speed: number
  sway: number
  colours: Colour[]
}

const salt = 0x1eaf

export function falling(scene: EffectScene, kind: Falling): AirDrawing[] {
  // Lit by the scene: in a dark picture they are dark.
  const light = 0.4 + 0.75 * Math.max(...scene.ambient)
  return kind.colours.map((colour, group) => {
    // The veil is its shaded side; what the light falls on glows a little.
    const lit = (share: number) => colour.map((part) => Math.min(1, part * light * share)) as unknown as Colour
    const fluttering = particles(scene, {
      count: kind.count / kind.colours.length,
      salt: salt + group,
      layer: 'both',
      draw: (particle, moment) => drawFalling(scene, kind, particle, moment),
    })
    return drawing(scene, { passes: [fluttering], light: () => ({ veil: lit(0.6), glow: lit(0.95) }) })
  })
}

function drawFalling({ air }: EffectScene, kind: Falling, { x, y, near, a, b }: Particle, moment: Moment): void {
  const { second, shown, put } = moment
  const fallen = y + kind.speed * (0.55 + 0.9 * near + 0.3 * a) * second
  const rocking = second * (1.1 + b) + 6.28 * a
  const across = wrap(x + Math.floor(fallen) * 0.618 + kind.sway * (0.4 + near) * Math.sin(rocking) + 0.02 * second)
  const px = (across * 1.1 - 0.05) * air.width
  const py = (wrap(fallen) * 1.2 - 0.1) * air.height
  // Either in front or behind, with little in between: a leaf is not transparent.
  const level = Math.min(1, Math.max(0, 4 * shown(px, py, near) - 1.5 * moment.level))
  if (level < 0.02) return
  const blurred = Math.max(0, near - 0.6) * 2.5
  const length = (kind.size[0] + (kind.size[1] - kind.size[0]) * near) * (0.75 + 0.5 * b) * air.scale
  // Its face turns away and back; seen from the edge it is a line.
  const face = Math.abs(Math.sin(second * (1.7 + 1.6 * a) + 6.28 * b))
  const width = Math.max(0.8 * air.scale, length * kind.slim * (0.15 + 0.85 * face))
  const angle = 6.28 * b + 0.9 * Math.sin(rocking * 0.8) + 0.5 * second * (a - 0.5)
  const shape = [length, width, Math.cos(angle), Math.sin(angle), kind.pointed, 0.9 * (a - 0.5), 0.25 + 0.5 * face]
  put('blades', px, py, ...shape, 1 + 4.5 * blurred * air.scale, (250 - 90 * blurred) * level)
}
