// The day goes.

import { smoothstep } from '../../../../video/smoothstep.ts'
import { type AirDrawing, drawing, type EffectScene } from '../../air/effect-scene.ts'
import { shade } from '../../air/fields.ts'
import type { AirEffect } from '../declaration.ts'
import { changed } from './daylight.ts'

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
  draw,
}

/** What of the dark lies on the ground before the sky goes dark: a thin veil by nearness. */
const groundMost = 0.41
/** The nearness from which all is as dark as the ground. */
const groundFrom = 0.75

function draw(scene: EffectScene): AirDrawing {
  const { strength, air, seconds, played, sight } = scene
  const ground = shade(air, {
    layer: 'veil',
    lights: [
      {
        light: () => groundMost,
        by: sight?.depth
          ? { map: air.near, share: (near) => Math.min(1, near / groundFrom), unknown: 0.5 }
          : { map: air.sky, share: (sky) => 1 - sky, unknown: 0.5 },
      },
    ],
    unit: [1, 1],
  })
  const share = (second: number) => changed(second, seconds, played)
  const deep = (second: number) => smoothstep(share(second)) * Math.min(1.15, 0.95 * strength)
  return drawing(scene, {
    passes: [
      (second) =>
        ground(
          () => middle,
          () => deep(second),
        ),
    ],
    light(_, second) {
      const [warm, dark] = [0.5 * Math.sin(Math.PI * Math.min(1, share(second) * 1.1)), deep(second)]
      return {
        gain: [
          (1 + 0.1 * warm) * (1 - 0.74 * dark),
          (1 - 0.06 * warm) * (1 - 0.7 * dark),
          (1 - 0.3 * warm) * (1 - 0.48 * dark),
        ],
        veil: [0.008, 0.011, 0.024],
      }
    },
  })
}

const middle = { x: 0.5, y: 0.5 }
