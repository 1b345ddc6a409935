// Soap bubbles that rise and wobble.

import { bubbles as drawBubbles } from '../../air/lights.ts'
import type { AirEffect } from '../declaration.ts'

export const bubbles: AirEffect = {
  kind: 'air',
  label: 'bubbles',
  words: {
    latin:
      '(soap |air )?bubbles?|seifenblasen|luftblasen|bulles( de savon)?|burbujas|pompas de jabon|bolle( di sapone)?|bolhas',
    any: '泡泡|气泡|氣泡|肥皂泡|シャボン玉|泡が|비눗방울|거품|пузыр|فقاعات',
  },
  sample: { prompt: 'soap bubbles', picture: 'portrait' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  cost: 'high',
  draw: drawBubbles,
}
