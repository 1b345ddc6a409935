// Fog that is thickest where the picture is far, and drifts.

import { fog as drawFog } from '../../air/weather.ts'
import type { AirEffect } from '../declaration.ts'

export const fog: AirEffect = {
  kind: 'air',
  label: 'fog',
  words: {
    latin:
      'fog(gy)?|mist(y)?|haz(e|y)|nebel(ig)?|neblig|dunst|brouillard|brume|niebla|neblina|bruma|nebbia|foschia|nevoa|nevoeiro',
    any: '雾|霧|薄雾|もや|霞|안개|туман|дымк|ضباب',
  },
  sample: { prompt: 'fog', picture: 'lake' },
  rise: 'slow',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: ['sky'],
  sound: 'wind',
  cost: 'high',
  draw: drawFog,
}
