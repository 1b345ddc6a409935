// A broken transmission.

import { glitch as glitchLook } from '../../film/tape.ts'
import type { FilmEffect } from '../declaration.ts'

export const glitch: FilmEffect = {
  kind: 'film',
  label: 'glitch',
  words: {
    latin:
      'glitch(y|es|ing)?( effect| art)?|datamosh(ing)?|digital distortion|bildstorung(en)?|interferences?( numeriques)?',
    any: '故障艺术|故障风|毛刺|グリッチ|글리치|глитч|خلل رقمي',
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
