// Motes that hang in the light.

import { dust as drawDust } from '../../air/lights.ts'
import type { AirEffect } from '../declaration.ts'

export const dust: AirEffect = {
  kind: 'air',
  label: 'dust',
  words: {
    latin:
      '(?<!(fairy|pixie|magic|magical|glowing) )dust( particles| motes| specks)?(?! ?storms?)|floating particles|staub(partikel|korner)?|(?<!tempete de )poussieres?|particules de poussiere|(?<!tormenta de )polvo|(?<!tempesta di )polvere|pulviscolo|(?<!tempestade de )poeira',
    any: '尘埃|塵埃|浮尘|灰尘|ほこり|塵が|먼지|пылинк|пыль(?!н)|غبار',
  },
  sample: { prompt: 'dust', picture: 'coffee' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: true,
  sees: [],
  sound: null,
  cost: 'high',
  draw: drawDust,
}
