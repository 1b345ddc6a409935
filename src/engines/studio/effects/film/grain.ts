// The grain of film.

import { addGrain, type Look, type LookSetup } from '../../film/film.ts'
import type { FilmEffect } from '../declaration.ts'

export const grain: FilmEffect = {
  kind: 'film',
  label: 'film grain',
  words: {
    latin:
      'film grain|grainy( film| footage| look)?|16 ?mm|35 ?mm film|filmkorn|korniger film|grain (de film|argentique)|grano de pelicula|grana (della )?pellicola|granulacao',
    any: '胶片颗粒|膠片顆粒|颗粒感|フィルムグレイン|粒状感|필름 그레인|зерно пл[её]нки|зернист|حبيبات الفيلم',
  },
  sample: { prompt: 'film grain', picture: 'coffee' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  cost: 'high',
  open,
}

function open(setup: LookSetup): Look {
  const add = addGrain(setup)
  return (frame, { second, level, strength }) => add(frame, second, strength * level)
}
