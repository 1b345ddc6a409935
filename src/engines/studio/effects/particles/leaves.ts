// Autumn leaves that flutter down.

import type { EffectScene } from '../../air/effect-scene.ts'
import { type Falling, falling } from '../../air/falling.ts'
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
  draw,
}

const leafKind: Falling = {
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
}

function draw(scene: EffectScene) {
  return falling(scene, leafKind)
}
