// Lights out of focus, behind what is near.

import { bokeh as drawBokeh } from '../../air/lights.ts'
import type { AirEffect } from '../declaration.ts'

export const bokeh: AirEffect = {
  kind: 'air',
  label: 'bokeh',
  words: {
    en: 'bokeh, blurred lights, bokeh lights/balls/circles',
    de: 'lichtpunkte, unscharfe lichter',
    fr: 'lumieres floues',
    es: 'luces desenfocadas/borrosas',
    it: 'luci sfocate',
    pt: 'luzes desfocadas',
    zh: '散景, 光斑',
    ja: '玉ボケ, ボケ',
    ko: '보케',
    ru: 'боке',
    ar: 'بوكيه',
  },
  sample: { prompt: 'bokeh', picture: 'portrait' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  cost: 'high',
  draw: drawBokeh,
}
