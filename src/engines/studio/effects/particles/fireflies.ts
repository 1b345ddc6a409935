// Small lights that wander and blink.

import { fireflies as drawFireflies } from '../../air/lights.ts'
import type { AirEffect } from '../declaration.ts'

export const fireflies: AirEffect = {
  kind: 'air',
  label: 'fireflies',
  words: {
    latin:
      'fire ?fl(y|ies)|(glowing|magic(al)?|fairy|luminous) (particles?|sparkles?|dust|orbs?)|(fairy|pixie|magic) dust|sparkles (float|drift|rise|dance)|leuchtende partikel|feenstaub|particules lumineuses|particulas (luminosas|brillantes|magicas)|particelle luminose|gluhwurmchen|leuchtkafer|lucioles?|luciernagas?|lucciole|vagalumes?',
    any: '萤火虫|螢火蟲|发光粒子|發光粒子|光点飘|光の粒|빛 ?입자|светящиеся частицы|جسيمات متوهجة|蛍|ホタル|반딧불|светлячк|يراعات',
  },
  sample: { prompt: 'fireflies', picture: 'lake' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  cost: 'high',
  draw: drawFireflies,
}
