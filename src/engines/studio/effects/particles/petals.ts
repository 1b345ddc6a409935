// Petals that flutter down.

import type { EffectScene } from '../../air/effect-scene.ts'
import { type Falling, falling } from '../../air/falling.ts'
import type { AirEffect } from '../declaration.ts'

export const petals: AirEffect = {
  kind: 'air',
  label: 'falling petals',
  words: {
    en: 'petal/petals ~ fall*/drift*/float*/swirl*/fly*/flying/blow*/scatter*/flutter*/rain*, cherry blossom/rose petals, cherry? blossom/blossoms ~ fall*/drift*/float*/scatter*/blow*/flutter*, wind blows petals',
    de: 'blutenblatter, blutenblatter ~ fallen/rieseln/schweben/wirbeln/tanzen, kirschbluten ~ fallen/rieseln',
    fr: 'petales ~ tombent/tombant/volent/flottent/envolent, petales de',
    es: 'petalos ~ caen/cayendo/caer/flotan/vuelan, petalos de',
    it: 'petali ~ cadono/cadenti/cadendo/cadere/volano/fluttuano',
    pt: 'petalas ~ caem/caindo/cair/voam/flutuam',
    zh: '花瓣, 樱花飘, 櫻花飄, 樱花 ~ 飘落/飘/落下/纷飞, 樱花花瓣 ~ 飘落, 花瓣 ~ 飘落/飞舞/落下',
    ja: '花びら, 桜が舞, 桜吹雪, 花びら ~ 舞/散, 桜 ~ 舞/散',
    ko: '꽃잎*, 벚꽃잎*, 벚꽃이 날, 벚꽃이 흩날, 벚꽃 ~ 흩날/떨어, 꽃잎 ~ 흩날/떨어',
    ru: 'лепестк* ~ падают/летят/кружатся/опадают, лепестк*',
    ar: 'بتلات, بتلات ~ تتساقط/تتطاير',
  },
  sample: { prompt: 'petals fall', picture: 'portrait' },
  rise: 'quick',
  joins: 'rough',
  windborne: true,
  isLight: false,
  sees: [],
  sound: 'wind',
  draw,
}

const petalsKind: Falling = {
  count: 100,
  size: [4.5, 15],
  slim: 0.66,
  pointed: 0.55,
  speed: 0.075,
  sway: 0.06,
  colours: [
    [0.95, 0.5, 0.54],
    [0.98, 0.76, 0.75],
    [0.82, 0.36, 0.4],
  ],
}

function draw(scene: EffectScene) {
  return falling(scene, petalsKind)
}
