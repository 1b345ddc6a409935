// Wisps that rise from what is hot.

import { steam as drawSteam } from '../../air/plumes.ts'
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
  draw: drawSteam,
}
