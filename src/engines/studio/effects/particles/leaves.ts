// Autumn leaves that flutter down.

import { falling } from '../../air/falling.ts'
import type { AirEffect } from '../declaration.ts'

export const leaves: AirEffect = {
  kind: 'air',
  label: 'falling leaves',
  words: {
    latin:
      '(falling|drifting|flying|swirling) (autumn )?leaves|(autumn )?leaves (fall|falling|drift|drifting|float|floating|swirl|swirling|fly)|fallende blatter|blatter (fallen|wirbeln)|feuilles (tombent|qui tombent|mortes qui volent)|hojas (caen|cayendo|que caen)|foglie (cadono|che cadono|cadenti)|folhas (caem|caindo)',
    any: '落叶|落葉|树叶飘落|葉が舞|葉が落|낙엽|나뭇잎이 떨어|листопад|листья падают|падающие листья|أوراق تتساقط|تساقط الأوراق',
  },
  sample: { prompt: 'falling leaves', picture: 'lake' },
  rise: 'quick',
  joins: 'rough',
  windborne: true,
  isLight: false,
  sees: [],
  sound: 'wind',
  cost: 'high',
  draw: falling('leaves'),
}
