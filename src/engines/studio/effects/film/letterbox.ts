// The black bars of cinema film.

import { black, grey, type Look, type LookSetup, mapLevels } from '../../film/film.ts'
import type { FilmEffect } from '../declaration.ts'

export const letterbox: FilmEffect = {
  kind: 'film',
  label: 'letterbox',
  words: {
    en: 'letterbox/letterboxed/letterboxing, cinematic/black bars, 2.35 : 1, 2.39 : 1, 21 : 9, cinemascope, anamorphic/widescreen bars/format/frame/framing/crop/ratio, anamorphic/widescreen aspect ratio',
    de: 'schwarze balken',
    fr: 'bandes noires',
    es: 'barras negras',
    it: 'bande nere',
    pt: 'barras pretas',
    zh: '电影黑边, 黑边, 宽银幕',
    ja: 'レターボックス, シネスコ',
    ko: '레터박스, 시네마스코프',
    ru: 'черные полосы',
    ar: 'أشرطة سوداء',
  },
  sample: { prompt: 'letterbox', picture: 'rocket' },
  rise: 'slow',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
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
