// The colour goes.

import { blackAndWhite as blackAndWhiteLook } from '../../film/looks.ts'
import type { FilmEffect } from '../declaration.ts'

export const blackAndWhite: FilmEffect = {
  kind: 'film',
  label: 'black and white',
  words: {
    latin:
      'black[- ]and[- ]white|black & white|b ?[&/] ?w|monochrome|noir film|film noir|greyscale|grayscale|schwarz-?weiss|schwarzweiss|noir et blanc|blanco y negro|bianco e nero|preto e branco',
    any: '黑白|白黒|モノクロ|흑백|чёрно-бел|черно-бел|أبيض وأسود',
  },
  sample: { prompt: 'black and white', picture: 'portrait' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  cost: 'high',
  open: blackAndWhiteLook,
}
