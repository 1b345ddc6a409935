// Rolling smoke behind the subject.

import { smoke as drawSmoke } from '../../air/plumes.ts'
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
  cost: 'high',
  draw: drawSmoke,
}
