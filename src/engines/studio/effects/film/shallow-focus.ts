// What is behind the subject is out of focus.

import type { FocusEffect } from '../declaration.ts'

export const shallowFocus: FocusEffect = {
  kind: 'focus',
  label: 'shallow depth of field',
  words: {
    en: 'shallow depth of field, shallow focus/dof, depth of field, dof, blurred/blurry background, background blurs/blurred/blur, background out of focus',
    de: 'geringe/geringer scharfentiefe/tiefenscharfe, unscharfer hintergrund, hintergrund ~ unscharf/verschwommen',
    fr: 'faible profondeur de champ, profondeur de champ, arriere plan flou, flou d arriere plan',
    es: 'poca profundidad de campo, profundidad de campo, fondo desenfocado/borroso',
    it: 'sfondo sfocato, ridotta/poca profondita di campo, profondita di campo',
    pt: 'pouca profundidade de campo, profundidade de campo, fundo desfocado',
    zh: '浅景深, 景深, 背景虚化, 背景模糊',
    ja: '被写界深度, 背景ぼか, 被写界深度が浅い, 浅い被写界深度, 背景ボケ',
    ko: '아웃포커*, 얕은 심도, 배경 흐림',
    ru: 'малая глубина резкости, глубина резкости, размытый фон',
    ar: 'عمق المجال, عمق مجال ضحل, عمق مجال, خلفية ضبابية',
  },
  sample: { prompt: 'shallow depth of field', picture: 'portrait' },
  rise: 'quick',
  joins: 'own',
  windborne: false,
  isLight: false,
  sees: ['subject'],
  sound: null,
}
