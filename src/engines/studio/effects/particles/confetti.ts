// Strips of coloured paper.

import { falling } from '../../air/falling.ts'
import type { AirEffect } from '../declaration.ts'

export const confetti: AirEffect = {
  kind: 'air',
  label: 'confetti',
  words: {
    latin: 'confettis?|konfetti|confeti|coriandoli|confete',
    any: '彩纸|彩紙|五彩纸屑|紙吹雪|색종이|컨페티|конфетти|قصاصات ورق',
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
