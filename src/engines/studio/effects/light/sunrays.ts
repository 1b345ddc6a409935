// Beams of light in the air.

import { sunrays as drawSunrays } from '../../air/sunlight.ts'
import type { AirEffect } from '../declaration.ts'

export const sunrays: AirEffect = {
  kind: 'air',
  label: 'sunrays',
  words: {
    latin:
      'sun ?(rays?|beams?|light streams?)|god ?rays?|light (rays?|shafts?|beams?)|(shaft|ray|beam)s? of (sun)?light|crepuscular|volumetric light(ing)?|sonnenstrahlen|lichtstrahlen|rayons? (de soleil|de lumiere)|rayos? de (sol|luz)|raggi? di (sole|luce)|raios? de (sol|luz)',
    any: '阳光洒|阳光透过|阳光穿过|阳光照射|光束|光线穿|丁达尔|陽光|木漏れ日|光芒|差し込む光|햇살|빛줄기|лучи солнца|солнечные лучи|лучи света|أشعة الشمس',
  },
  sample: { prompt: 'sunrays', picture: 'lake' },
  rise: 'slow',
  joins: 'smooth',
  windborne: false,
  isLight: true,
  sees: ['bright', 'sun'],
  sound: null,
  cost: 'high',
  draw: drawSunrays,
}
