// Autumn leaves that flutter down.

import type { EffectScene } from '../../air/effect-scene.ts'
import { type Falling, falling } from '../../air/falling.ts'
import type { AirEffect } from '../declaration.ts'

export const leaves: AirEffect = {
  kind: 'air',
  label: 'falling leaves',
  words: {
    en: 'leaves/leaf ~ fall*/drift*/swirl*/float*/fly*/flying/tumbl*/spiral*/whirl*, falling/drifting/flying/swirling autumn/maple/golden? leaves',
    de: 'fallende blatter, blatter/laub ~ fallen/fallt/wirbeln/wirbelt/tanzen/fliegen/rieseln, herbstlaub fallt, laubfall',
    fr: 'feuilles ~ tombent/tombant/tourbillonnent/volent, chute des feuilles',
    es: 'hojas ~ caen/cayendo/caer/vuelan/volando',
    it: 'foglie ~ cadono/cadenti/cadere/cadendo/volano',
    pt: 'folhas ~ caem/caindo/cair/voam',
    zh: '落叶, 落葉, 树叶 ~ 飘落/落下/飞舞, 叶子 ~ 飘落/落下, 枫叶 ~ 飘落/飘',
    ja: '葉が舞, 葉が落, 落葉, 落ち葉, 枯れ葉 ~ 舞/落, 紅葉 ~ 舞/散',
    ko: '낙엽*, 나뭇잎이 떨어, 나뭇잎이 흩날, 단풍잎이 떨어',
    ru: 'листопад, листья ~ падают/кружатся/летят/опадают, падающие листья',
    ar: 'أوراق تتساقط, أوراق ~ تتساقط/تسقط, تساقط الأوراق',
  },
  sample: { prompt: 'falling leaves', picture: 'lake' },
  rise: 'quick',
  joins: 'rough',
  windborne: true,
  isLight: false,
  sees: [],
  sound: 'wind',
  draw,
}

const leafKind: Falling = {
  count: 84,
  size: [6, 19],
  slim: 0.5,
  pointed: 0.85,
  speed: 0.1,
  sway: 0.05,
  colours: [
    [0.52, 0.2, 0.03],
    [0.4, 0.07, 0.02],
    [0.54, 0.29, 0.05],
    [0.2, 0.09, 0.03],
  ],
}

function draw(scene: EffectScene) {
  return falling(scene, leafKind)
}
