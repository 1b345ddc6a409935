// Time runs slowly.

import type { TimeEffect } from '../declaration.ts'

export const slowMotion: TimeEffect = {
  kind: 'time',
  label: 'slow motion',
  words: {
    en: 'slow mo/motion, slowmo/slowmotion',
    de: 'zeitlupe',
    fr: 'au? ralenti',
    es: 'camara lenta',
    it: 'al rallentatore, rallentatore',
    pt: 'camera lenta',
    zh: '慢动作, 慢動作, 慢镜头',
    ja: 'スローモーション',
    ko: '슬로우 모션, 슬로우모션, 슬로모션',
    ru: 'замедлен* съемк*, замедлен*',
    ar: 'حركة بطيئة, تصوير بطيء',
  },
  sample: { prompt: 'slow motion', picture: 'portrait' },
  rise: 'quick',
  joins: 'own',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  rate: 0.4,
  pace: 0.6,
  until: 1,
}
