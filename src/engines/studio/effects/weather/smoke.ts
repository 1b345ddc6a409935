// Rolling smoke behind the subject.

import type { EffectScene } from '../../air/effect-scene.ts'
import { type Plume, rising } from '../../air/plumes.ts'
import type { AirEffect } from '../declaration.ts'

export const smoke: AirEffect = {
  kind: 'air',
  label: 'smoke',
  words: {
    en: 'smoke/smokes/smoking/smoky, smoke ~ curl*/rise*/rising/drift*/billow*/swirl*/pour*/fill*',
    de: 'rauch/raucht/rauchend/rauchig, qualm, rauch ~ steigt/zieht',
    fr: 'fumee/fumees, fumee ~ monte/eleve',
    es: 'humo, humo ~ sube/subiendo/sale',
    it: 'fumo, fumo ~ sale',
    pt: 'fumaca/fumo, fumaca ~ sobe/subindo',
    zh: '烟雾, 烟, 煙, 浓烟, 炊烟, 烟雾 ~ 缭绕/升',
    ja: '煙, 煙 ~ 立',
    ko: '연기',
    ru: 'дым/дыма/дымом, дым ~ поднимается',
    ar: 'دخان',
  },
  sample: { prompt: 'smoke', picture: 'rocket' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: ['subject'],
  sound: null,
  draw,
}

const plume: Plume = {
  puffs: 64,
  life: 4.6,
  rise: 1.05,
  width: 0.035,
  widens: 0.24,
  baseMax: 0.36,
  fromTop: false,
  drawnOut: 1,
  grain: 46,
  folds: 1.1,
  dense: 0.3,
  white: 0.75,
  // Brighter than a dark picture, and darker than a bright one: as grey as what is behind it, it would not be seen.
  tone: (behind, lit) => (behind < 0.3 ? Math.min(0.5, behind + Math.min(0.22, 0.06 + lit)) : 0.2),
}

function draw(scene: EffectScene) {
  return rising(scene, plume)
}
