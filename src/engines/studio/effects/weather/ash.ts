// Grey flakes that tumble down.

import { ash as drawAsh } from '../../air/weather.ts'
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
  cost: 'high',
  draw: drawAsh,
}
