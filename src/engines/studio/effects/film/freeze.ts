// Time stops before the end.

import type { TimeEffect } from '../declaration.ts'

export const freeze: TimeEffect = {
  kind: 'time',
  label: 'freeze',
  words: {
    en: '^it? freeze/freezes$, freeze frame/frames, image/picture/frame/video/shot/motion freezes',
    de: 'standbild, bild friert ein',
    fr: 'arret sur image',
    es: 'congela/congelado, imagen se congela',
    it: 'fermo immagine',
    pt: 'imagem congelada',
    zh: '定格, 画面静止',
    ja: 'フリーズフレーム',
    ko: '정지 화면',
    ru: 'стоп кадр',
    ar: 'تجميد الصورة',
  },
  sample: { prompt: 'push in, then freeze', picture: 'coffee' },
  rise: 'quick',
  joins: 'own',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  rate: 1,
  pace: 1,
  until: 0.7,
}
