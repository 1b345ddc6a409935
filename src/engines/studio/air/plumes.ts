// Plumes that rise from a thing, steam and smoke: puffs that roll and grow as they go.

import { seededRandom } from '../../../video/random.ts'
import { type AirDrawing, drawing, type EffectScene } from './effect-scene.ts'
import { plume } from './fields.ts'
import type { Colour } from './mood.ts'
import { behindPeople, peopleIn } from './people.ts'
import { brightnessOf, type Place } from './picture-light.ts'

/** White as the picture's own light has it, and a little warmer: pure white would look blue by a candle and lilac on wood. */
function litBy(ambient: Colour, level: number, white: number): Colour {
  const brightest = Math.max(...ambient)
  const warm: Colour = [1, 0.94, 0.83]
  return ambient.map((own, i) => level * warm[i]! * (white + ((1 - white) * own) / brightest)) as unknown as Colour
}

interface Puff {
  /** When it leaves the ground, in turns of a puff's life. */
  phase: number
  /** Numbers of its own, -1 to 1. */
  aside: number
  sway: number
  size: number
  /** Where its texture lies in the noise. */
  at: number
}

export interface Plume {
  puffs: number
  /** How long a puff rises, in seconds, and how far, in heights of the frame. */
  life: number
  rise: number
  /** Half of its width where it leaves and how much that grows, in heights of the frame. */
  width: number
  widens: number
  /** How much thinner than high its folds are. */
  drawnOut: number
  /** How fine they are, and how much they are shaded. */
  grain: number
  folds: number
  dense: number
  /** Its brightness by that of the picture and of its light. */
  tone(behind: number, lit: number): number
  /** How little it takes on the colour of the picture's light, 0 to 1. */
  white: number
  /** Whether it comes off the top of a thing, in front of all, or from behind it. */
  fromTop: boolean
  /** Half the width at most of where it rises, in heights of the frame. */
  baseMax: number
}

/** Even the thickest plume lets a little through. */
const plumeMost = 0.86

/** Puffs leave one after another, roll, widen and thin out; the light from above shades their folds. */
export function rising(scene: EffectScene, kind: Plume): AirDrawing | null {
  const { strength, air, seed, ambient, mean } = scene
  const origins = scene.origins(kind.fromTop ? 'steam' : 'smoke')
  if (origins.length === 0) return null
  const { width, height } = air.half
  const feet = origins.map(({ x, y, foot, width }, i) => {
    return { x, y: kind.fromTop ? y : foot, width, puffs: makePuffs(kind.puffs, seed + i) }
  })
  const tone = kind.tone(brightnessOf(mean), brightnessOf(ambient))
  const light = { veil: litBy(ambient, 0.5 * tone, kind.white), glow: litBy(ambient, 1.4 * tone, kind.white) }
  const inFront = kind.fromTop ? 1 : frontShare(scene, feet[0]!)
  const byNearness = { map: air.near, share: (near: number) => inFront + (1 - inFront) * behindOf(near), unknown: 1 }
  // Behind what the picture is of, where that is known, and never before a person.
  const behindSubject = { map: air.people, share: (level: number) => behindPeople(2 * level), unknown: 1 }
  const by = !kind.fromTop && scene.analysis && peopleIn(scene.analysis) ? behindSubject : byNearness
  const draw = plume(air, { by, folds: kind.folds, most: plumeMost })

  /** Ten numbers, as the kernel has them; nothing where it is too thin to be seen. */
  function puffAt(puff: Puff, age: number, second: number, from: Place & { base: number }): number[] {
    const risen = 1 - (1 - age) ** 1.35
    const radius = (0.5 * from.base + height * (kind.width + kind.widens * age ** 0.8)) * (1 + 0.3 * puff.size)
    const wander = 0.09 * risen * Math.sin(0.7 * second + 6 * puff.at + 3 * risen) + 0.1 * risen * risen
    const spread = puff.aside * (0.55 * from.base + 0.5 * kind.widens * height * risen)
    const [x, y] = [from.x + spread + kind.rise * height * wander, from.y - kind.rise * height * risen - 0.3 * radius]
    // It comes out of the ground thick and dissolves on its way.
    const dense = strength * kind.dense * Math.min(1, age * 14) * (1 - age) ** 1.3
    if (dense < 0.004) return []
    const turn = (puff.sway * (0.6 + 0.5 * second)) / kind.drawnOut ** 2
    const grain = kind.grain / radius
    const folds = [grain * kind.drawnOut, grain / kind.drawnOut, 256 * puff.at, 91 * puff.size + 5 * second]
    return [x, y, radius, dense, Math.cos(turn), Math.sin(turn), ...folds]
  }

  const roll = (second: number, level: number) => {
    const list = feet.flatMap(({ puffs, ...foot }) => {
      const [now, side] = [air.now(foot), air.now({ x: foot.x + foot.width, y: foot.y })]
      const base = Math.min(kind.baseMax * height, Math.abs(side.x - now.x) * width * 0.6)
      const from = { x: now.x * width, y: now.y * height, base }
      return puffs.flatMap((puff) => {
        const turns = second / kind.life + puff.phase
        // The first ones leave when the effect begins.
        return turns < 1 ? [] : puffAt({ ...puff, at: puff.at + Math.floor(turns) * 0.618 }, turns % 1, second, from)
      })
    })
    draw(list, level)
  }
  return drawing(scene, { passes: [roll], light: () => light })
}

function makePuffs(count: number, seed: number): Puff[] {
  const random = seededRandom(seed ^ 0x5340)
  const own = () => 2 * random() - 1
  return Array.from({ length: count }, (_, i) => {
    return { phase: (i + random()) / count, aside: own(), sway: own(), size: own(), at: random() }
  })
}

/** Whether smoke is behind what has a nearness: 1 in front of it, 0 behind, soft between. */
function behindOf(near: number): number {
  return Math.min(1, Math.max(0, (nearEnd - near) / (nearEnd - nearStart)))
}

const nearStart = 0.57
const nearEnd = 0.8

/** How much of the smoke drifts in front of what is near: little, unless most of it would be hidden. */
function frontShare({ analysis }: EffectScene, { x, y }: Place): number {
  const near = analysis?.depth
  if (!near) return 1
  let [seen, all] = [0, 1e-9]
  for (let row = 0; row < Math.min(near.height, y * near.height); row++) {
    for (
      let column = Math.max(0, Math.floor((x - 0.11) * near.width));
      column < Math.min(near.width, (x + 0.11) * near.width);
      column++
    ) {
      seen += behindOf(near.data[row * near.width + column]!)
      all++
    }
  }
  return Math.min(0.8, Math.max(0.25, 1.1 - 1.4 * (seen / all)))
}
