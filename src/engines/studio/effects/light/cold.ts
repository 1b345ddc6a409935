// A cold tint of all light.

import type { AirEffect } from '../declaration.ts'
import { tint } from './daylight.ts'

export const cold: AirEffect = {
  kind: 'air',
  label: 'cold light',
  words: {
    latin:
      '(cold|cool|icy|bluish)(er)? (blue )?(light(ing)?|tones?|glow|colou?rs?)|moonlight|moonlit|kaltes licht|kuhles licht|mondlicht|lumiere (froide|bleutee)|clair de lune|luz fria|luz de la luna|luce fredda|chiaro di luna|luz da lua|luar',
    any: '冷光|冷色|月光|寒色|冷たい光|月明かり|차가운 빛|달빛|холодн(ый|ого|ым) свет|лунный свет|ضوء بارد|ضوء القمر',
  },
  sample: { prompt: 'cold light', picture: 'portrait' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: true,
  sees: [],
  sound: null,
  cost: 'high',
  draw: tint([0.66, 0.92, 1.2]),
}
