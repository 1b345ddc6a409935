// Wisps that rise from what is hot.

import type { EffectScene } from '../../air/effect-scene.ts'
import { type Plume, rising } from '../../air/plumes.ts'
import type { AirEffect } from '../declaration.ts'

export const steam: AirEffect = {
  kind: 'air',
  label: 'steam',
  words: {
    en: 'steam/steams/steaming/steamy, vapor/vapour/vapors, steam/vapor ~ rise*/rising/drift*/curl*/swirl*/escap*/billow*',
    de: 'dampf/dampft/dampfend/dampfende/dampfender/dampfenden, dampf ~ steigt',
    fr: 'vapeur, fumant/fumante, vapeur ~ monte/eleve',
    es: 'vapor, humeante/humeantes, vapor ~ sube/subiendo',
    it: 'vapore, fumante/fumanti, vapore ~ sale',
    pt: 'vapor, fumegante, vapor ~ sobe/subindo',
    zh: '蒸汽, 蒸气, 热气, 熱氣, 热气腾腾, 冒气, 热腾腾, 热气 ~ 升',
    ja: '湯気, 蒸気, 湯気 ~ 立',
    ko: '김이, 수증기, 증기, 김이 모락모락, 김이 피어',
    ru: 'пар/пара/паром/пары, пар ~ поднимается/идет',
    ar: 'بخار, البخار ~ يتصاعد',
  },
  sample: { prompt: 'steam rises', picture: 'coffee' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: ['subject'],
  sound: null,
  draw,
}

const plume: Plume = {
  puffs: 52,
  life: 3,
  rise: 0.55,
  width: 0.02,
  widens: 0.13,
  baseMax: 0.13,
  fromTop: true,
  drawnOut: 1.45,
  grain: 30,
  folds: 0.3,
  dense: 0.15,
  white: 0.2,
  tone: (behind) => Math.min(0.85, 0.52 + behind),
}

function draw(scene: EffectScene) {
  return rising(scene, plume)
}
