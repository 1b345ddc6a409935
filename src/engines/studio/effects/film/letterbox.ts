// The black bars of cinema film.

import { letterbox as letterboxLook } from '../../film/looks.ts'
import type { FilmEffect } from '../declaration.ts'

export const letterbox: FilmEffect = {
  kind: 'film',
  label: 'letterbox',
  words: {
    latin:
      'letterbox(ed)?|cinematic bars|black bars|(2[.,]3[59]|21):(1|9)|cinemascope|(anamorphic|widescreen) (bars|format|frame|framing|crop|ratio|aspect ratio)|schwarze balken|bandes noires|barras negras|bande nere|barras pretas',
    any: '电影黑边|黑边|宽银幕|レターボックス|シネスコ|레터박스|시네마스코프|чёрные полосы|черные полосы|أشرطة سوداء',
  },
  sample: { prompt: 'letterbox', picture: 'rocket' },
  rise: 'slow',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  cost: 'high',
  open: letterboxLook,
}
