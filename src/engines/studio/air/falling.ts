// Things that flutter down: leaves, petals, confetti. Each spins as it falls and shows sometimes its face, sometimes its
// edge. One drawing per colour, because the air has one colour at a time.

import type { Air, AirDrawing, EffectScene } from './effect-scene.ts'
import { type Colour, type Mood, plain } from './mood.ts'
import { makeParticles, type Particle, pixelsWithin, visibility, wrap } from './particles.ts'

interface Kind {
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

const kinds = {
  leaves: {
    count: 84,
    size: [6, 19],
    slim: 0.5,
    pointed: 0.85,
    speed: 0.1,
    sway: 0.05,
    colours: [
      [0.52, 0.2, 0.03],
      [0.4, 0.07, 0.02],
      [0.54, 0.29, 0.05],
      [0.2, 0.09, 0.03],
    ],
  },
  petals: {
    count: 100,
    size: [4.5, 15],
    slim: 0.66,
    pointed: 0.55,
    speed: 0.075,
    sway: 0.06,
    colours: [
      [0.95, 0.5, 0.54],
      [0.98, 0.76, 0.75],
      [0.82, 0.36, 0.4],
    ],
  },
  confetti: {
    count: 130,
    size: [3.4, 9],
    slim: 0.5,
    pointed: 0,
    speed: 0.16,
    sway: 0.035,
    colours: [
      [0.75, 0.05, 0.08],
      [0.85, 0.55, 0.04],
      [0.05, 0.3, 0.7],
      [0.08, 0.5, 0.16],
      [0.7, 0.7, 0.72],
    ],
  },
} satisfies Record<string, Kind>

export function falling(name: keyof typeof kinds) {
  return ({ seed, strength, air, ambient }: EffectScene): AirDrawing[] => {
    const kind: Kind = kinds[name]
    const all = makeParticles(Math.round(kind.count * strength), seed ^ 0x1eaf)
    // Lit by the scene: in a dark picture they are dark.
    const light = 0.4 + 0.75 * Math.max(...ambient)
    return kind.colours.map((colour, group) => {
      const own = all.filter((_, i) => i % kind.colours.length === group)
      // The veil is its shaded side; what the light falls on glows a little.
      const [veil, glow] = [0.6, 0.95].map((share) => colour.map((part) => Math.min(1, part * light * share)))
      return (second, level) => {
        air.setVeil(null)
        air.setGlow(null)
        for (const particle of own) drawFalling(air, kind, particle, second, level)
        return { ...plain, veil: veil as unknown as Colour, glow: glow as unknown as Colour } satisfies Mood
      }
    })
  }
}

function drawFalling(air: Air, kind: Kind, { x, y, near, a, b }: Particle, second: number, level: number): void {
  const scale = air.height / 720
  const fallen = y + kind.speed * (0.55 + 0.9 * near + 0.3 * a) * second
  const down = wrap(fallen) * 1.2 - 0.1
  const rocking = second * (1.1 + b) + 6.28 * a
  const across = wrap(x + Math.floor(fallen) * 0.618 + kind.sway * (0.4 + near) * Math.sin(rocking) + 0.02 * second)
  const px = (across * 1.1 - 0.05) * air.width
  const py = down * air.height
  // Either in front or behind, with little in between: a leaf is not transparent.
  const shown = level * Math.min(1, Math.max(0, 4 * visibility(air, px, py, near) - 1.5))
  if (shown < 0.02) return
  const blurred = Math.max(0, near - 0.6) * 2.5
  const length = (kind.size[0] + (kind.size[1] - kind.size[0]) * near) * (0.75 + 0.5 * b) * scale
  // Its face turns away and back; seen from the edge it is a line.
  const face = Math.abs(Math.sin(second * (1.7 + 1.6 * a) + 6.28 * b))
  const width = Math.max(0.8 * scale, length * kind.slim * (0.15 + 0.85 * face))
  const angle = 6.28 * b + 0.9 * Math.sin(rocking * 0.8) + 0.5 * second * (a - 0.5)
  const blade = { length, width, angle, pointed: kind.pointed, bend: 0.9 * (a - 0.5), lit: 0.25 + 0.5 * face }
  drawBlade(air, px, py, blade, 1 + 4.5 * blurred * scale, (250 - 90 * blurred) * shown)
}

interface Blade {
  length: number
  width: number
  angle: number
  pointed: number
  /** How far its ends curl aside, of its length. */
  bend: number
  /** How much light falls on it, 0 to 1. */
  lit: number
}

/** A thin thing with a soft outline, curled, one half of it turned to the light. `soft` is the width of its edge in pixels. */
function drawBlade(air: Air, x: number, y: number, blade: Blade, soft: number, level: number): void {
  const { length, width, angle, pointed, bend, lit } = blade
  const [veil, glow] = [air.veil(), air.glow()]
  const reach = length * 1.15 + soft
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const { left, right, top, bottom } = pixelsWithin(air, x, y, reach)
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const [dx, dy] = [column - x, row - y]
      const along = (dx * cos + dy * sin) / length
      if (Math.abs(along) > 1.2) continue
      // A strip of paper is straight; leaves and petals curl, and are widest behind their middle.
      const side = dy * cos - dx * sin - pointed * bend * length * (along * along - 0.3)
      const aside = Math.abs(side)
      const share = Math.min(1, Math.abs(along + 0.3 * pointed * (1 - along * along)))
      const profile = width * (1 - pointed * share * share)
      const cover = Math.min(1, (Math.min((1 - Math.abs(along)) * length, profile - aside) + soft / 2) / soft)
      if (cover <= 0) continue
      const at = row * air.stride + column
      const half = pointed > 0 ? Math.min(1, Math.max(0, 0.5 + (0.9 * side) / width)) : 0.7
      // A vein down the middle keeps a leaf from looking like paper.
      const vein = pointed > 0.7 && aside < width * 0.09 ? 0.5 : 1
      const own = level * cover
      if (own <= veil[at]!) continue
      veil[at] = own
      glow[at] = 255 * Math.sqrt((own / 255) * lit * vein * (0.15 + 0.85 * half))
    }
  }
}
