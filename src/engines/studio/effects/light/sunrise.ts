// The sun comes up.

import { smoothstep } from '../../../../video/smoothstep.ts'
import { type AirDrawing, drawing, type EffectScene } from '../../air/effect-scene.ts'
import { shade } from '../../air/fields.ts'
import type { AirEffect } from '../declaration.ts'
import { changed } from './daylight.ts'

export const sunrise: AirEffect = {
  kind: 'air',
  label: 'sunrise',
  words: {
    en: 'sunrise, sun rise/rises/rising, sun comes up, rising sun, daybreak, dawn breaks/comes/light/breaking, sun ~ climbs/emerges/peeks',
    de: 'sonnenaufgang, sonne ~ geht auf, aufgehende sonne, morgenrote',
    fr: 'lever du soleil, lever de soleil, soleil ~ se leve, soleil leve, aube',
    es: 'amanece, amanecer, sale el sol, sol sale, alba',
    it: 'alba, sorge il sole, sole ~ sorge, sole sorge',
    pt: 'amanhecer, amanhece, nascer do sol, sol nasce, aurora',
    zh: '日出, 朝阳, 旭日, 太阳升起, 太阳 ~ 升起, 黎明',
    ja: '朝日が昇, 日の出, 夜明け, 朝日 ~ 昇',
    ko: '해가 뜨, 해가 떠, 일출, 동이 트, 해돋이',
    ru: 'рассвет*, восход*, солнце ~ встает/поднимается/восходит',
    ar: 'شروق, شروق الشمس, تشرق الشمس',
  },
  sample: { prompt: 'sunrise', picture: 'lake' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: true,
  sees: ['sky', 'sun'],
  sound: 'birds',
  draw,
}

function draw(scene: EffectScene): AirDrawing {
  const { strength, air, seconds, played } = scene
  const sun = scene.sun()
  // Light from above the frame says nothing of where the sun rises.
  const horizon = { x: sun.x, y: sun.y > 0.15 ? sun.y : 0.52 }
  const open = { map: air.near, share: (near: number) => 1 - 0.5 * near, unknown: 0.75 }
  const light = shade(air, {
    layer: 'glow',
    lights: [
      { light: (away) => 0.1 * Math.exp(-2.2 * away), by: open },
      // What stands before the sun hides it.
      {
        light: (away) => 0.2 * Math.exp(-9 * away),
        by: scene.analysis?.sky ? { map: air.sky, share: (sky) => 0.15 + 0.85 * sky, unknown: 0.75 } : open,
      },
    ],
    unit: [1, 1.25],
  })
  const come = (second: number, level: number) =>
    level * smoothstep(changed(second, seconds, played)) * Math.min(1.2, strength)
  return drawing(scene, {
    passes: [
      (second, level) => {
        const place = air.now(horizon)
        light(
          () => place,
          () => come(second, level),
        )
      },
    ],
    light(level, second) {
      const share = come(second, level)
      return { gain: [1 + 0.2 * share, 1 + 0.06 * share, 1 - 0.12 * share], glow: [1.1, 0.72, 0.34] }
    },
  })
}
