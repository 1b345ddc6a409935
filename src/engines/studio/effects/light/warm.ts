// A warm tint of all light.

import type { AirEffect } from '../declaration.ts'
import { tint } from './daylight.ts'

export const warm: AirEffect = {
  kind: 'air',
  label: 'warm light',
  words: {
    latin:
      '(warm(er|ing)?|golden) (soft |morning |evening |afternoon |sun ?|summer )?(light(ing)?|tones?|glow|colou?rs?)|golden hour|sunset(?! (sets|goes))|sundown|afterglow|sonnenuntergang|abendrot|abendsonne|coucher de soleil|atardecer|puesta de sol|tramonto|por do sol|warmes licht|goldenes licht|lumiere (chaude|doree)|luz (calida|dorada)|luce (calda|dorata)|luz (quente|dourada)|heure doree|hora dorada|ora d oro',
    any: '夕阳|夕陽|日落(?!西山)|晚霞|夕日|夕焼け|노을|석양|일몰|закат|غروب|暖光|暖色|金色的?阳光|黄金时刻|暖かい光|黄金の光|따뜻한 빛|따스한 빛|황금빛|т[её]пл(ый|ого|ым) свет|золотой час|ضوء دافئ|الساعة الذهبية',
  },
  sample: { prompt: 'warm light', picture: 'portrait' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: true,
  sees: [],
  sound: null,
  cost: 'high',
  draw: tint([1.16, 1, 0.74]),
}
