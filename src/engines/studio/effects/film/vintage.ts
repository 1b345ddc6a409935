// Faded colours, dark corners and the grain of old film.

import { vintage as vintageLook } from '../../film/looks.ts'
import type { FilmEffect } from '../declaration.ts'

export const vintage: FilmEffect = {
  kind: 'film',
  label: 'vintage film',
  words: {
    en: '^vintage$, vintage film/look/style/footage/aesthetic/effect/vibe/tone/tones/feel/color/colors/grade/photo/filter, ^retro$, retro film/look/style/footage/aesthetic/vibe, sepia, old film/movie look?/footage?, super 8/8mm, super8, nostalgic film? look, analog/analogue film, home movie',
    de: 'altfilm, alter film',
    fr: 'vieux film',
    es: 'pelicula antigua',
    it: 'vecchio film',
    pt: 'filme antigo',
    zh: '复古, 復古, 怀旧, 懷舊, 老电影',
    ja: 'レトロ, ヴィンテージ, セピア',
    ko: '빈티지, 복고, 레트로',
    ru: 'винтаж*, ретро, сепия',
    ar: 'عتيق, قديم الطراز',
  },
  sample: { prompt: 'vintage', picture: 'rocket' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  cost: 'high',
  open: vintageLook,
}
