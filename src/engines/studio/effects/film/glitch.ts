// A broken transmission.

import { glitch as glitchLook } from '../../film/tape.ts'
import type { FilmEffect } from '../declaration.ts'

export const glitch: FilmEffect = {
  kind: 'film',
  label: 'glitch',
  words: {
    en: 'glitch/glitchy/glitches/glitching, glitch effect/art, datamosh*, digital distortion',
    de: 'bildstorung*',
    fr: 'interference*, interferences numeriques',
    es: 'fallo digital',
    it: 'glitch',
    pt: 'glitch',
    zh: '故障艺术, 故障风, 毛刺',
    ja: 'グリッチ',
    ko: '글리치',
    ru: 'глитч',
    ar: 'خلل رقمي',
  },
  sample: { prompt: 'glitch', picture: 'portrait' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  cost: 'high',
  open: glitchLook,
}
