// Wisps that rise from what is hot.

import type { EffectScene } from '../../air/effect-scene.ts'
import { type Plume, rising } from '../../air/plumes.ts'
import type { AirEffect } from '../declaration.ts'

export const steam: AirEffect = {
  kind: 'air',
  label: 'steam',
  words: {
    latin: 'steam(s|ing|y)?|vapou?r|dampf(t|end|ende|ender)?|vapeur|fumant|vapor|humeante|vapore|fumante',
    any: '蒸汽|热气|熱氣|冒气|湯気|蒸気|김이|수증기|пар(?= |$|а |ом |и)|بخار',
  },
  sample: { prompt: 'steam rises', picture: 'coffee' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: ['subject'],
  sound: null,
  cost: 'high',
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
