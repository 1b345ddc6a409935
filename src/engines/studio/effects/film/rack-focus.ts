// The focus goes from the subject to what is behind it.

import type { FocusEffect } from '../declaration.ts'

export const rackFocus: FocusEffect = {
  kind: 'focus',
  label: 'rack focus',
  words: {
    latin:
      'rack(s|ing)? focus|focus (pulls?|shifts?|racks?|shifting|pulling)|pull(s|ing)? focus|scharfenverlagerung|bascule de point|cambio de foco|cambio di fuoco|mudanca de foco',
    any: '移焦|焦点转移|焦點轉移|变焦对焦|ピント送り|フォーカス送り|초점 이동|перевод фокуса|смена фокуса|تغيير التركيز',
  },
  sample: { prompt: 'rack focus', picture: 'portrait' },
  rise: 'quick',
  joins: 'own',
  windborne: false,
  isLight: false,
  sees: ['subject'],
  sound: null,
  cost: 'high',
}
