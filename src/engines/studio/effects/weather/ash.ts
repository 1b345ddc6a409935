// Grey flakes that tumble down.

import { type AirDrawing, type EffectScene, steady } from '../../air/effect-scene.ts'
import { wrap } from '../../air/particles.ts'
import { particles } from '../../air/passes.ts'
import type { AirEffect } from '../declaration.ts'

export const ash: AirEffect = {
  kind: 'air',
  label: 'falling ash',
  words: {
    en: 'falling/drifting/volcanic/floating ash, ash ~ fall*/rain*/drift*/float*',
    de: 'ascheregen, asche ~ fallt/rieselt/regnet',
    fr: 'pluie de cendres, cendres ~ tombent',
    es: 'lluvia de ceniza/cenizas, ceniza/cenizas ~ cae/caen/cayendo',
    it: 'pioggia di cenere, cenere ~ cade/cadono',
    pt: 'chuva de cinzas, cinzas ~ caem/caindo',
    zh: '火山灰, 灰烬 ~ 飘/落, 灰燼 ~ 飄/落',
    ja: '灰が降, 火山灰, 灰 ~ 舞',
    ko: '화산재, 재가 날, 재가 떨어',
    ru: 'пепел/пепла/пеплом',
    ar: 'رماد',
  },
  sample: { prompt: 'falling ash', picture: 'rocket' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: 'wind',
  draw,
}

const flakes = { count: 300, salt: 0xa54 }
const sharpUntil = 0.75

function draw(scene: EffectScene): AirDrawing {
  const { air, ambient } = scene
  const grey = 0.16 + 0.24 * Math.max(...ambient)
  return steady(scene, {
    passes: [
      particles(scene, {
        ...flakes,
        layer: 'veil',
        draw({ x, y, near, a, b }, { second, shown, put }) {
          const fallen = y + (0.03 + 0.09 * near + 0.02 * a) * second
          const down = wrap(fallen) * 1.1 - 0.05
          const sway = 0.02 * Math.sin(second * (0.5 + 0.7 * b) + 6.283 * a)
          const across = wrap(x + Math.floor(fallen) * 0.618 + sway + 0.012 * second)
          const [px, py] = [across * air.width, down * air.height]
          const turn = second * (1 + b) + 6.283 * b
          const radius = (1.6 + 3 * near + 10 * Math.max(0, near - sharpUntil)) * air.scale
          const level = 215 * (near > sharpUntil ? 0.4 : 1) * shown(px, py, near)
          // Two halves that turn about each other: a flake is not a ball.
          const [leanX, leanY] = [0.34 * radius * Math.cos(turn), 0.34 * radius * Math.sin(turn * 1.3)]
          put('discs', px + leanX, py + leanY, radius * 0.7, level, 0.1)
          put('discs', px - leanX, py - leanY, radius * 0.55, level, 0.1)
        },
      }),
    ],
    light(level) {
      const dim = 1 - 0.14 * level
      return { gain: [dim, dim * 0.98, dim * 0.95], veil: [grey, grey * 0.98, grey * 0.96] }
    },
  })
}
