// The picture comes out of black.

import { dim, type Look, type LookSetup } from '../../film/film.ts'
import type { FilmEffect } from '../declaration.ts'

export const fadeIn: FilmEffect = {
  kind: 'film',
  label: 'fade in',
  words: {
    en: 'fade/fades/fading in, fade/fades up? from black',
    de: 'einblenden, aufblende',
    fr: 'fondu a l ouverture',
    es: 'fundido de entrada, aparece gradualmente',
    it: 'dissolvenza in apertura',
    pt: 'fade in',
    zh: '淡入',
    ja: 'フェードイン',
    ko: '페이드 인, 페이드인',
    ru: 'из затемнения, появление из черного',
    ar: 'تلاش للداخل',
  },
  sample: { prompt: 'fade in', picture: 'lake' },
  rise: 'quick',
  joins: 'own',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  open,
}

function open(setup: LookSetup): Look {
  const towardsBlack = dim(setup)
  return (frame, { second }) => towardsBlack(frame, second)
}
