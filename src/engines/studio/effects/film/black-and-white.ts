// The colour goes.

import { grey, type Look, type LookSetup, mapLevels } from '../../film/film.ts'
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
  open,
}

/** A little more contrast makes up for the colour: levels around the middle, of those between black and white. */
const contrast = { most: 9, middle: 126, reach: 110 }

function open(setup: LookSetup): Look {
  const map = mapLevels(setup)
  return ({ y, u, v }, { level }) => {
    for (const plane of [u, v]) map(plane, (from) => grey + (from - grey) * (1 - level))
    map(y, (from) => {
      const more = contrast.most * level * Math.sin(((from - contrast.middle) / contrast.reach) * Math.PI)
      return from < 16 || from > 235 ? from : from + more
    })
  }
}
