// The black bars of cinema film.

import { letterbox as letterboxLook } from '../../film/looks.ts'
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
  cost: 'high',
  open: letterboxLook,
}
