// What is behind the subject is out of focus.

import type { FocusEffect } from '../declaration.ts'

export const shallowFocus: FocusEffect = {
  kind: 'focus',
  label: 'shallow depth of field',
  words: {
    latin:
      'shallow (depth of field|focus|dof)|depth of field|blurr(ed|y) background|background (blurs?|blurred|out of focus)|geringe (scharfentiefe|tiefenscharfe)|unscharfer hintergrund|faible profondeur de champ|arriere-plan flou|poca profundidad de campo|fondo (desenfocado|borroso)|sfondo sfocato|ridotta profondita di campo|pouca profundidade de campo|fundo desfocado',
    any: '浅景深|景深|背景虚化|背景模糊|被写界深度|背景ぼか|아웃포커|얕은 심도|배경 흐림|малая глубина резкости|размытый фон|عمق المجال|خلفية ضبابية',
  },
  sample: { prompt: 'shallow depth of field', picture: 'portrait' },
  rise: 'quick',
  joins: 'own',
  windborne: false,
  isLight: false,
  sees: ['subject'],
  sound: null,
  cost: 'high',
}
