// Darker corners.

import { type Look, type LookSetup, shadeEdges } from '../../film/film.ts'
import type { FilmEffect } from '../declaration.ts'

export const vignette: FilmEffect = {
  kind: 'film',
  label: 'vignette',
  words: {
    en: 'vignette/vignetting/vignetted, dark/darkened edges/corners',
    de: 'dunkle ecken, vignettierung',
    fr: 'vignettage',
    es: 'vineta, vineteado',
    it: 'vignettatura',
    pt: 'vinheta',
    zh: '暗角',
    ja: 'ビネット, 周辺減光',
    ko: '비네트, 비네팅',
    ru: 'виньет*',
    ar: 'تظليل الحواف',
  },
  sample: { prompt: 'vignette', picture: 'portrait' },
  rise: 'slow',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  open,
}

function open(setup: LookSetup): Look {
  const shade = shadeEdges(setup)
  return (frame, { level, strength }) => shade(frame, level * Math.min(1, 0.8 * strength))
}
