// The grain of film.

import { addGrain, type Look, type LookSetup } from '../../film/film.ts'
import type { FilmEffect } from '../declaration.ts'

export const grain: FilmEffect = {
  kind: 'film',
  label: 'film grain',
  words: {
    en: 'film grain, grainy, grainy film/footage/look, 16mm, 16 mm, 35mm film, 35 mm film, grain',
    de: 'filmkorn, korniger film',
    fr: 'grain de film/argentique, grain argentique',
    es: 'grano de pelicula',
    it: 'grana pellicola, grana della pellicola',
    pt: 'granulacao, grao de filme',
    zh: '胶片颗粒, 膠片顆粒, 颗粒感',
    ja: 'フィルムグレイン, 粒状感',
    ko: '필름 그레인',
    ru: 'зерно пленки, зернист*',
    ar: 'حبيبات الفيلم',
  },
  sample: { prompt: 'film grain', picture: 'coffee' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  open,
}

function open(setup: LookSetup): Look {
  const add = addGrain(setup)
  return (frame, { second, level, strength }) => add(frame, second, strength * level)
}
