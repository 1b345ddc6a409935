// Strips of coloured paper.

import { falling } from '../../air/falling.ts'
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
  cost: 'high',
  draw: falling('confetti'),
}
