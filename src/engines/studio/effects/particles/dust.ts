// Motes that hang in the light.

import { dust as drawDust } from '../../air/lights.ts'
import type { AirEffect } from '../declaration.ts'

export const dust: AirEffect = {
  kind: 'air',
  label: 'dust',
  words: {
    en: 'dust particle/particles/mote/motes/speck/specks, dust, dusty air, floating particles, dust/particles ~ float*/drift*/danc*/swirl*/rise*/rising/blow*/hang*/fly*/settl*',
    de: 'staub, staubpartikel, staubkorner, staub ~ wirbelt/schwebt/tanzt',
    fr: 'poussiere/poussieres, particules de poussiere',
    es: 'polvo, motas de polvo',
    it: 'polvere, pulviscolo',
    pt: 'poeira, poeira ~ levanta*/sobe',
    zh: '尘埃, 塵埃, 浮尘, 灰尘, 尘土, 尘土飞扬, 扬尘, 灰尘 ~ 飘/扬',
    ja: 'ほこり, 埃, 塵が, 塵 ~ 舞',
    ko: '먼지*',
    ru: 'пылинк*, пыль/пыли/пылью',
    ar: 'غبار, أتربة',
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
