// The colour goes.

import { blackAndWhite as blackAndWhiteLook } from '../../film/looks.ts'
import type { FilmEffect } from '../declaration.ts'

export const blackAndWhite: FilmEffect = {
  kind: 'film',
  label: 'black and white',
  words: {
    en: 'black and white, black & white, b & w, bw, monochrome/monochromatic, noir film, film noir, greyscale/grayscale',
    de: 'schwarz weiss, schwarzweiss',
    fr: 'noir et blanc',
    es: 'blanco y negro',
    it: 'bianco e nero',
    pt: 'preto e branco',
    zh: '黑白',
    ja: '白黒, モノクロ',
    ko: '흑백',
    ru: 'черно бел*',
    ar: 'أبيض وأسود',
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
