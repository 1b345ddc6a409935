// Stars that twinkle in a dark sky.

import { stars as drawStars } from '../../air/stars.ts'
import type { AirEffect } from '../declaration.ts'

export const stars: AirEffect = {
  kind: 'air',
  label: 'twinkling stars',
  words: {
    latin:
      '(twinkling|glittering|sparkling|blinking) stars?|stars (twinkle|twinkling|shine|shining|appear|come out|glitter)|starry (sky|night)|sternenhimmel|sterne (funkeln|leuchten)|ciel etoile|etoiles (scintillent|brillent)|cielo estrellado|estrellas (brillan|titilan)|cielo stellato|stelle (brillano|scintillano)|ceu estrelado|estrelas (brilham|cintilam)',
    any: '星空|繁星|星星闪|星光闪|星が瞬|星がきらめ|満天の星|별이 반짝|별빛|зв[её]здное небо|зв[её]зды мерц|النجوم تتلألأ|سماء مرصعة',
  },
  sample: { prompt: 'stars twinkle', picture: 'rocket' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: ['sky'],
  sound: null,
  cost: 'high',
  draw: drawStars,
}
