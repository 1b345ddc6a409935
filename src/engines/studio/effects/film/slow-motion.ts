// Time runs slowly.

import type { TimeEffect } from '../declaration.ts'

export const slowMotion: TimeEffect = {
  kind: 'time',
  label: 'slow motion',
  words: {
    latin: 'slow ?-?mo(tion)?|slowmotion|zeitlupe|(au )?ralenti|camara lenta|camera lenta|al rallentatore|rallentatore',
    any: '慢动作|慢動作|慢镜头|スローモーション|슬로우 ?모션|замедленн(ая|ой|ую) съ[её]мк|замедленн|حركة بطيئة',
  },
  sample: { prompt: 'slow motion', picture: 'portrait' },
  rise: 'quick',
  joins: 'own',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  cost: 'high',
  rate: 0.4,
  pace: 0.6,
  until: 1,
}
