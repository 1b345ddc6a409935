// Darker corners.

import { type Look, type LookSetup, shadeEdges } from '../../film/film.ts'
import type { FilmEffect } from '../declaration.ts'

export const vignette: FilmEffect = {
  kind: 'film',
  label: 'vignette',
  words: {
    latin: 'vignett(e|ing)|dark(ened)? (edges|corners)|dunkle ecken|vinheta|vineta|vignettatura|vignettage',
    any: '暗角|ビネット|周辺減光|비네트|비네팅|виньет|تظليل الحواف',
  },
  sample: { prompt: 'vignette', picture: 'portrait' },
  rise: 'slow',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  cost: 'high',
  open,
}

function open(setup: LookSetup): Look {
  const shade = shadeEdges(setup)
  return (frame, { level, strength }) => shade(frame, level * Math.min(1, 0.8 * strength))
}
