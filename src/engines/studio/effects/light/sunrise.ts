// The sun comes up.

import { sunrise as drawSunrise } from '../../air/daylight.ts'
import type { AirEffect } from '../declaration.ts'

export const sunrise: AirEffect = {
  kind: 'air',
  label: 'sunrise',
  words: {
    en: 'sunrise, sun rise/rises/rising, sun comes up, rising sun, daybreak, dawn breaks/comes/light/breaking, sun ~ climbs/emerges/peeks',
    de: 'sonnenaufgang, sonne ~ geht auf, aufgehende sonne, morgenrote',
    fr: 'lever du soleil, lever de soleil, soleil ~ se leve, soleil leve, aube',
    es: 'amanece, amanecer, sale el sol, sol sale, alba',
    it: 'alba, sorge il sole, sole ~ sorge, sole sorge',
    pt: 'amanhecer, amanhece, nascer do sol, sol nasce, aurora',
    zh: '日出, 朝阳, 旭日, 太阳升起, 太阳 ~ 升起, 黎明',
    ja: '朝日が昇, 日の出, 夜明け, 朝日 ~ 昇',
    ko: '해가 뜨, 해가 떠, 일출, 동이 트, 해돋이',
    ru: 'рассвет*, восход*, солнце ~ встает/поднимается/восходит',
    ar: 'شروق, شروق الشمس, تشرق الشمس',
  },
  sample: { prompt: 'sunrise', picture: 'lake' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: true,
  sees: ['sky', 'sun'],
  sound: 'birds',
  cost: 'high',
  draw: drawSunrise,
}
