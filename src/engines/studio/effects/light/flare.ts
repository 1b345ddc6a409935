// What the light does between the lenses.

import { flare as drawFlare } from '../../air/sunlight.ts'
import type { AirEffect } from '../declaration.ts'

export const flare: AirEffect = {
  kind: 'air',
  label: 'lens flare',
  words: {
    en: 'lens/sun/solar/light/anamorphic/camera flare/flares, anamorphic lens flare/flares, flare',
    de: 'linsenreflex*, blendenfleck*',
    fr: 'reflet/reflets d objectif, flare',
    es: 'destello/destellos de? la? lente, destello/destellos del sol',
    it: 'riflesso/riflessi di/della lente/obiettivo',
    pt: 'reflexo/reflexos de/da lente',
    zh: '镜头光晕, 鏡頭光暈, 镜头眩光, 光晕',
    ja: 'レンズフレア, フレア',
    ko: '렌즈 플레어, 렌즈플레어',
    ru: 'блик/блики объектива/линзы, блик/блики в объективе',
    ar: 'وهج العدسة',
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
