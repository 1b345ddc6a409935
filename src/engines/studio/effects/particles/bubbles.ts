// Soap bubbles that rise and wobble.

import { bubbles as drawBubbles } from '../../air/lights.ts'
import type { AirEffect } from '../declaration.ts'

export const bubbles: AirEffect = {
  kind: 'air',
  label: 'bubbles',
  words: {
    en: 'soap/air bubble/bubbles, bubble/bubbles, bubbles ~ rise*/rising/float*/drift*',
    de: 'seifenblasen, luftblasen, blasen steigen, seifenblasen ~ steigen/schweben',
    fr: 'bulles, bulles de savon',
    es: 'burbujas, pompas de jabon',
    it: 'bolle, bolle di sapone',
    pt: 'bolhas, bolhas de sabao',
    zh: '泡泡, 气泡, 氣泡, 肥皂泡',
    ja: 'シャボン玉, 泡',
    ko: '비눗방울, 거품, 물방울이 떠오',
    ru: 'пузыр*',
    ar: 'فقاعات',
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
