// What the light does between the lenses.

import { flare as drawFlare } from '../../air/sunlight.ts'
import type { AirEffect } from '../declaration.ts'

export const flare: AirEffect = {
  kind: 'air',
  label: 'lens flare',
  words: {
    latin:
      '(lens|sun|solar|light|anamorphic|camera) ?flares?|linsenreflex(e|ion|ionen)?|blendenflecken?|reflets? d objectif|destellos? de (la )?lente|destellos? del sol|riflessi? (di|della) lente|reflexos? (de|da) lente',
    any: '镜头光晕|鏡頭光暈|镜头眩光|レンズフレア|렌즈 ?플레어|блики? (объектива|линзы|в объективе)|وهج العدسة',
  },
  sample: { prompt: 'lens flare', picture: 'lake' },
  rise: 'slow',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: ['sun'],
  sound: null,
  cost: 'high',
  draw: drawFlare,
}
