// Strips of coloured paper.

import type { EffectScene } from '../../air/effect-scene.ts'
import { type Falling, falling } from '../../air/falling.ts'
import type { AirEffect } from '../declaration.ts'

export const confetti: AirEffect = {
  kind: 'air',
  label: 'confetti',
  words: {
    en: 'confetti/confettis, confetti ~ fall*/rain*/drift*/float*/fly*/swirl*/burst*',
    de: 'konfetti, konfetti ~ fallt/regnet',
    fr: 'confettis, confettis ~ tombent',
    es: 'confeti, confeti ~ cae/cayendo',
    it: 'coriandoli, coriandoli ~ cadono',
    pt: 'confete/confetes, confete ~ cai/caindo',
    zh: '彩纸, 彩紙, 五彩纸屑',
    ja: '紙吹雪',
    ko: '색종이, 컨페티, 꽃가루가 날',
    ru: 'конфетти',
    ar: 'قصاصات ورق',
  },
  sample: { prompt: 'confetti', picture: 'portrait' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: 'crowd',
  draw,
}

const confettiKind: Falling = {
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
}

function draw(scene: EffectScene) {
  return falling(scene, confettiKind)
}
