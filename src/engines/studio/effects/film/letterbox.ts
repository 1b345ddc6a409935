// The black bars of cinema film.

import { black, grey, type Look, type LookSetup, mapLevels } from '../../film/film.ts'
import type { FilmEffect } from '../declaration.ts'

export const letterbox: FilmEffect = {
  kind: 'film',
  label: 'letterbox',
  words: {
    latin:
      'letterbox(ed)?|cinematic bars|black bars|(2[.,]3[59]|21):(1|9)|cinemascope|(anamorphic|widescreen) (bars|format|frame|framing|crop|ratio|aspect ratio)|schwarze balken|bandes noires|barras negras|bande nere|barras pretas',
    any: '电影黑边|黑边|宽银幕|レターボックス|シネスコ|레터박스|시네마스코프|чёрные полосы|черные полосы|أشرطة سوداء',
  },
  sample: { prompt: 'letterbox', picture: 'rocket' },
  rise: 'slow',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  cost: 'high',
  open,
}

const cinemaScope = 2.39
/** A bar takes at least and at most these shares of the height. */
const bar = { least: 0.06, most: 0.16 }

function open(setup: LookSetup): Look {
  const { width, height } = setup.frame
  const map = mapLevels(setup)
  const share = Math.min(bar.most, Math.max(bar.least, (1 - width / height / cinemaScope) / 2))
  return ({ y, u, v }, { level }) => {
    const rows = Math.round((share * height * level) / 2) * 2
    for (const [plane, own, empty] of [
      [y, rows, black],
      [u, rows / 2, grey],
      [v, rows / 2, grey],
    ] as const) {
      for (const from of [0, plane.height - own])
        map({ ...plane, at: plane.at + from * plane.stride, height: own }, () => empty)
    }
  }
}
