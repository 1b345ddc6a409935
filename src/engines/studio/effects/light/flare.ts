// What the light does between the lenses.

import { type AirDrawing, drawing, type EffectScene } from '../../air/effect-scene.ts'
import { everywhere, shade } from '../../air/fields.ts'
import type { Colour } from '../../air/mood.ts'
import { drawSprites } from '../../air/passes.ts'
import type { AirEffect } from '../declaration.ts'

export const flare: AirEffect = {
  kind: 'air',
  label: 'lens flare',
  words: {
    en: 'lens/sun/solar/light/anamorphic/camera flare/flares, anamorphic lens flare/flares, flare',
    de: 'linsenreflex*, blendenfleck*',
    fr: 'reflet/reflets d objectif, flare',
    es: 'destello/destellos de? la? lente, destello/destellos del sol',
    it: 'riflesso/riflessi di/della lente/obiettivo',
    pt: 'reflexo/reflexos de/da lente',
    zh: '镜头光晕, 鏡頭光暈, 镜头眩光, 光晕',
    ja: 'レンズフレア, フレア',
    ko: '렌즈 플레어, 렌즈플레어',
    ru: 'блик/блики объектива/линзы, блик/блики в объективе',
    ar: 'وهج العدسة',
  },
  sample: { prompt: 'lens flare', picture: 'lake' },
  rise: 'slow',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: ['sun'],
  sound: null,
  draw,
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
function draw(scene: EffectScene): AirDrawing[] | null {
  const { strength, air, highlight } = scene
  const sun = scene.sun()
  if (sun.unseen || sun.y < 0) return null
  const brightest = Math.max(...highlight)
  const [r, g, b] = highlight.map((own) => 0.7 + (0.3 * own) / brightest)
  // Light through moving air is never quite steady.
  const shimmer = (second: number) => 1 + 0.05 * Math.sin(second * 2.3) + 0.03 * Math.sin(second * 5.9)
  const shining = (second: number, level: number) => level * shimmer(second) * Math.min(1.4, strength)
  const diagonal = Math.hypot(air.width, air.height)
  const glare = shade(air, {
    layer: 'glow',
    lights: [{ light: (away) => 0.5 * Math.exp(-26 * away) + 0.1 * Math.exp(-5 * away), by: everywhere }],
    unit: [diagonal / air.width, diagonal / air.height],
    // The streak that a wide lens draws from it across the frame.
    streak: {
      down: (away) => 0.2 * Math.exp(-((away / 0.006) ** 2)) + 0.06 * Math.exp(-away / 0.016),
      across: (away) => Math.exp(-6 * away),
    },
  })
  return [
    drawing(scene, {
      passes: [
        (second, level) => {
          const middle = air.now(sun)
          const light = shining(second, level)
          glare(
            () => middle,
            () => light,
          )
        },
      ],
      light: () => ({ glow: [r!, g! * 0.94, b! * 0.82] }),
    }),
    ...ghosts.map(({ colour, spots }) =>
      drawing(scene, {
        passes: [
          (second, level) => {
            const { x, y } = air.now(sun)
            const discs = spots.flatMap(([at, size, bright]) => {
              const radius = size * air.height
              const place = [(x + at * (0.5 - x)) * air.width, (y + at * (0.5 - y)) * air.height]
              return [...place, radius, 255 * Math.sqrt(bright * shining(second, level)), Math.max(3, radius * 0.16)]
            })
            drawSprites(air, 'glow', 'lensDiscs', discs)
          },
        ],
        light: () => ({ glow: colour }),
      }),
    ),
  ]
}
