// Rolling smoke behind the subject.

import { smoke as drawSmoke } from '../../air/plumes.ts'
import type { AirEffect } from '../declaration.ts'

export const smoke: AirEffect = {
  kind: 'air',
  label: 'smoke',
  words: {
    latin: 'smok(e|es|ing|y)|rauch(t|end|ig)?|qualm|fumee|humo|fumo|fumaca',
    any: '烟雾|烟|煙|연기|дым(?!к)|دخان',
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
