// Grey flakes that tumble down.

import { ash as drawAsh } from '../../air/weather.ts'
import type { AirEffect } from '../declaration.ts'

export const ash: AirEffect = {
  kind: 'air',
  label: 'falling ash',
  words: {
    latin:
      '(falling|drifting|volcanic|floating) ash|ash (falls|falling|rains|drifts)|ascheregen|asche (fallt|rieselt)|pluie de cendres|lluvia de ceniza|pioggia di cenere|chuva de cinzas',
    any: '火山灰|灰烬飘|灰燼飄|灰が降|화산재|재가 날|пепел|رماد',
  },
  sample: { prompt: 'falling ash', picture: 'rocket' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: 'wind',
  cost: 'high',
  draw: drawAsh,
}
