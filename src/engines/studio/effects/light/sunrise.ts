// The sun comes up.

import { sunrise as drawSunrise } from '../../air/daylight.ts'
import type { AirEffect } from '../declaration.ts'

export const sunrise: AirEffect = {
  kind: 'air',
  label: 'sunrise',
  words: {
    latin:
      'sun ?rise|sunrise|dawn (breaks|comes|light)|(the )?sun (rises|is rising|comes up)|rising sun|day ?break|sonnenaufgang|die sonne geht auf|lever du soleil|le soleil se leve|amanece(r)?|sale el sol|alba|sorge il sole|amanhecer|nascer do sol|o sol nasce',
    any: '日出|朝阳升|旭日|太阳升起|黎明|朝日が昇|日の出|夜明け|해가 뜨|일출|동이 트|рассвет|восход|солнце вста|شروق|تشرق الشمس',
  },
  sample: { prompt: 'sunrise', picture: 'lake' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: true,
  sees: ['sky', 'sun'],
  sound: 'birds',
  cost: 'high',
  draw: drawSunrise,
}
