// Sparks that rise and curl.

import { embers as drawEmbers } from '../../air/lights.ts'
import type { AirEffect } from '../declaration.ts'

export const embers: AirEffect = {
  kind: 'air',
  label: 'embers',
  words: {
    latin:
      'embers?|sparks?|(floating|glowing) ash|funken|glut|braises|etincelles|brasas|chispas|scintille|braci|faiscas',
    any: '火花|余烬|餘燼|火星|火の粉|불꽃이 날|불씨|искр|угольк|شرر|جمر',
  },
  sample: { prompt: 'embers', picture: 'rocket' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: 'fire',
  cost: 'high',
  draw: drawEmbers,
}
