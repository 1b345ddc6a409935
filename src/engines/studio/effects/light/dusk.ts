// The day goes.

import { dusk as drawDusk } from '../../air/daylight.ts'
import type { AirEffect } from '../declaration.ts'

export const dusk: AirEffect = {
  kind: 'air',
  label: 'day turning to dusk',
  words: {
    latin:
      '(turns?|turning|fades?|fading|changes?|changing|becomes?|becoming|falls?|falling|goes|going|sets?|setting|slips?) (in)?to (dusk|night|evening|twilight|darkness)|(night|dusk|evening|darkness) (falls|is falling|comes|descends|sets in)|(from )?day (turns?|to|into) ((in)?to )?(dusk|night|evening)|(gets?|getting|grows?|growing) dark|sun(set)? (sets|is setting|goes down)|es wird (nacht|abend|dunkel)|tag wird (zur |zum )?(nacht|abend)|die sonne geht unter|le soleil se couche|el sol se pone|il sole tramonta|o sol se poe|nacht bricht an|la nuit tombe|le soir tombe|cae la noche|anochece|scende la (notte|sera)|cala la notte|anoitece|cai a noite',
    any: '天色渐暗|夜幕降临|夜幕降臨|日落西山|天黑|由昼入夜|日が暮れ|夜になる|暗くなって|해가 지|어두워지|밤이 되|темнеет|наступает ночь|наступает вечер|يحل الليل|يحل الظلام',
  },
  sample: { prompt: 'night falls', picture: 'lake' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: ['sky'],
  sound: null,
  cost: 'high',
  draw: drawDusk,
}
