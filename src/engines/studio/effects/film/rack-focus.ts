// The focus goes from the subject to what is behind it.

import type { FocusEffect } from '../declaration.ts'

export const rackFocus: FocusEffect = {
  kind: 'focus',
  label: 'rack focus',
  words: {
    en: 'rack/racks/racking focus, focus pulls/pull/shift/shifts/racks/shifting/pulling/moves, pull/pulls/pulling focus, focus changes/transitions/goes',
    de: 'scharfenverlagerung, scharfe ~ wandert/verlagert/wechselt, fokus ~ wandert/wechselt',
    fr: 'bascule de point, mise au point ~ passe/glisse',
    es: 'cambio de foco/enfoque, foco ~ pasa/cambia',
    it: 'cambio di fuoco, fuoco ~ passa/sposta',
    pt: 'mudanca de foco, foco ~ muda/passa',
    zh: '移焦, 焦点转移, 焦點轉移, 变焦对焦, 焦点 ~ 转移/移到/移',
    ja: 'ピント送り, フォーカス送り, ピント ~ 移',
    ko: '초점 이동, 초점이 이동, 초점이 옮겨',
    ru: 'перевод фокуса, смена фокуса, фокус ~ переходит/смещается',
    ar: 'تغيير التركيز, التركيز ~ ينتقل',
  },
  sample: { prompt: 'rack focus', picture: 'portrait' },
  rise: 'quick',
  joins: 'own',
  windborne: false,
  isLight: false,
  sees: ['subject'],
  sound: null,
}
