// Sparks that rise and curl.

import { embers as drawEmbers } from '../../air/lights.ts'
import type { AirEffect } from '../declaration.ts'

export const embers: AirEffect = {
  kind: 'air',
  label: 'embers',
  words: {
    en: 'ember/embers, sparks, floating/glowing ash, embers/sparks ~ fly*/float*/drift*/rise*/rising/glow*/swirl*',
    de: 'funken, glut, funken ~ fliegen/spruhen, glut glimmt',
    fr: 'braises, etincelles, etincelles ~ volent',
    es: 'brasas, chispas, chispas ~ vuelan/volando',
    it: 'scintille, braci, scintille ~ volano',
    pt: 'brasas, faiscas',
    zh: '火花, 余烬, 餘燼, 火星, 火花 ~ 飞溅/飞',
    ja: '火花, 火の粉',
    ko: '불꽃이 날, 불씨, 불티',
    ru: 'искры/искр/искрами, угольк*, искры ~ летят/летают',
    ar: 'شرر, جمر',
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
