// Faded colours, dark corners and the grain of old film.

import { addGrain, grey, type Look, type LookSetup, mapLevels, shadeEdges } from '../../film/film.ts'
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
  open,
}

/** How much blacks are lifted and whites lowered, and what is left of blue and red, with their new middles. */
const faded = { blacks: 20, whites: 8, blue: { left: 0.6, middle: -9 }, red: { left: 0.7, middle: 6 } }
const corners = 0.6
const grain = 0.6

function open(setup: LookSetup): Look {
  const [map, shade, add] = [mapLevels(setup), shadeEdges(setup), addGrain(setup)]
  return (frame, { second, level }) => {
    map(frame.y, (from) => {
      const light = from / 235
      return from + level * (faded.blacks * (1 - light) ** 2 - faded.whites * light ** 2)
    })
    for (const [plane, { left, middle }] of [
      [frame.u, faded.blue],
      [frame.v, faded.red],
    ] as const) {
      map(plane, (from) => grey + (from - grey) * (1 - (1 - left) * level) + middle * level)
    }
    shade(frame, corners * level)
    add(frame, second, grain * level)
  }
}
