// The picture comes out of black.

import { dim, type Look, type LookSetup } from '../../film/film.ts'
import type { FilmEffect } from '../declaration.ts'

export const fadeIn: FilmEffect = {
  kind: 'film',
  label: 'fade in',
  words: {
    latin:
      'fad(es?|ing) in|fade(s)? (up )?from black|einblenden|aufblende|fondu (a l )?ouverture|fundido de entrada|aparece gradualmente|dissolvenza in apertura|fade in',
    any: '淡入|フェードイン|페이드 ?인|из затемнения|появление из ч[её]рного|تلاش للداخل',
  },
  sample: { prompt: 'fade in', picture: 'lake' },
  rise: 'quick',
  joins: 'own',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  cost: 'high',
  open,
}

function open(setup: LookSetup): Look {
  const towardsBlack = dim(setup)
  return (frame, { second }) => towardsBlack(frame, second)
}
