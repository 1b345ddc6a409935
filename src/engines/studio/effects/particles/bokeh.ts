// Lights out of focus, behind what is near.

import { bokeh as drawBokeh } from '../../air/lights.ts'
import type { AirEffect } from '../declaration.ts'

export const bokeh: AirEffect = {
  kind: 'air',
  label: 'bokeh',
  words: {
    latin:
      'bokeh|blurred lights|lichtpunkte|unscharfe lichter|lumieres floues|luces (desenfocadas|borrosas)|luci sfocate|luzes desfocadas',
    any: '散景|光斑|玉ボケ|보케|боке|بوكيه',
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
