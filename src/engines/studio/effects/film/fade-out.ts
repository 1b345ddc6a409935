// The picture goes into black.

import { framesPerSecond } from '../../../../video/av/timing.ts'
import { dim, type Look, type LookSetup } from '../../film/film.ts'
import type { FilmEffect } from '../declaration.ts'

export const fadeOut: FilmEffect = {
  kind: 'film',
  label: 'fade out',
  words: {
    en: 'fade/fades/fading out, fade/fades/fading to black, screen/image/picture ~ black',
    de: 'ausblenden, abblende',
    fr: 'fondu au noir, fondu a la fermeture',
    es: 'fundido a negro, fundido de salida',
    it: 'dissolvenza in chiusura, dissolvenza a nero, dissolvenza al nero',
    pt: 'escurece ate o preto',
    zh: '淡出, 渐黑, 漸黑',
    ja: 'フェードアウト, 暗転',
    ko: '페이드 아웃, 페이드아웃',
    ru: 'затемнение, уход в черное',
    ar: 'تلاش إلى الأسود',
  },
  sample: { prompt: 'fade out', picture: 'lake' },
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
  return (frame, { left }) => towardsBlack(frame, left - 1 / framesPerSecond)
}
