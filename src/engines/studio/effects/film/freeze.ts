// Time stops before the end.

import type { TimeEffect } from '../declaration.ts'

export const freeze: TimeEffect = {
  kind: 'time',
  label: 'freeze',
  words: {
    latin:
      'freeze[- ]?frames?|(image|picture|frame|video|shot|motion) freezes|(?<=^|[,.;] *)(it )?freezes?(?= *([,.;]|$))|standbild|arret sur image|congela(do)?|fermo immagine|imagem congelada',
    any: '定格|画面静止|フリーズフレーム|정지 화면|стоп-кадр|تجميد الصورة',
  },
  sample: { prompt: 'push in, then freeze', picture: 'coffee' },
  rise: 'quick',
  joins: 'own',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  cost: 'high',
  rate: 1,
  pace: 1,
  until: 0.7,
}
