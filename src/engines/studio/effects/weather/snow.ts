// Flakes that sway as they fall.

import { snow as drawSnow } from '../../air/weather.ts'
import type { AirEffect } from '../declaration.ts'

export const snow: AirEffect = {
  kind: 'air',
  label: 'snow',
  words: {
    latin:
      'snow(s|ing|fall|flakes?|storm)?|blizzard|schnee(fall|flocken|sturm)?|schneit|neige|il neige|flocons|nieve|nieva|nevando|nevada|neve|nevica|nevicata|nevasca',
    any: '下雪|飘雪|飄雪|雪花|大雪|降雪|暴雪|雪が|(?<![桜紙])吹雪|눈이 내|눈송이|눈보라|снег|метель|снежинк|ثلج|ثلوج',
  },
  sample: { prompt: 'snow falls', picture: 'rocket' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: 'wind',
  cost: 'high',
  draw: drawSnow,
}
