// The picture goes into black.

import { framesPerSecond } from '../../../../video/av/timing.ts'
import { dim, type Look, type LookSetup } from '../../film/film.ts'
import type { FilmEffect } from '../declaration.ts'

export const fadeOut: FilmEffect = {
  kind: 'film',
  label: 'fade out',
  words: {
    latin:
      'fad(es?|ing) (out|to black)|ausblenden|abblende|fondu (au noir|a la fermeture)|fundido (a negro|de salida)|dissolvenza (in chiusura|a nero|al nero)|escurece ate o preto',
    any: '淡出|渐黑|漸黑|フェードアウト|暗転|페이드 ?아웃|затемнение|уход в ч[её]рное|تلاش إلى الأسود',
  },
  sample: { prompt: 'fade out', picture: 'lake' },
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
  return (frame, { left }) => towardsBlack(frame, left - 1 / framesPerSecond)
}
