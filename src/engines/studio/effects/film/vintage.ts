// Faded colours, dark corners and the grain of old film.

import { vintage as vintageLook } from '../../film/looks.ts'
import type { FilmEffect } from '../declaration.ts'

export const vintage: FilmEffect = {
  kind: 'film',
  label: 'vintage film',
  words: {
    latin:
      'vintage( film| look| style)?|retro( film| look| style)?|sepia|old (film|movie)( look| footage)?|super ?8|nostalgic( film)? look|analog(ue)? film|altfilm|vieux film|pelicula antigua|vecchio film|filme antigo',
    any: '复古|復古|怀旧|懷舊|老电影|レトロ|ヴィンテージ|セピア|빈티지|복고|레트로|винтаж|ретро|сепия|عتيق|قديم الطراز',
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
