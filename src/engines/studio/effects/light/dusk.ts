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
    en: 'turns/turning/fades/fading/changes/changing/becomes/becoming/falls/falling/goes/going/sets/setting/slips into/to dusk/night/evening/twilight/darkness, night/dusk/evening/darkness falls/falling/comes/descends/descending, darkness/night sets in, day turns/to/into/turning to/into? dusk/night/evening, turn day into night, gets/getting/grows/growing dark/darker, sun/sunset sets/setting/set, sun goes/going down, sun dips/sinks/sinking, sun disappears below/behind',
    de: 'es wird nacht/abend/dunkel, tag wird zur/zum? nacht/abend, sonne ~ geht unter, nacht ~ bricht an, nacht bricht herein, dammert, sonne sinkt',
    fr: 'soleil ~ se couche, soleil couche, nuit tombe, soir tombe, tombee de la nuit',
    es: 'sol ~ se pone, sol pone, cae la noche, anochece, oscurece',
    it: 'sole ~ tramonta, scende la notte/sera, cala la notte/sera, notte scende/cala',
    pt: 'sol ~ se poe, sol poe, anoitece, cai a noite, noite cai, escurece',
    zh: '天色渐暗, 夜幕降临, 夜幕降臨, 日落西山, 天黑, 由昼入夜, 太阳落山, 太阳下山, 夕阳西下',
    ja: '日が暮れ, 夜になる, 夜になって, 暗くなって, 日が沈',
    ko: '해가 지, 해가 진, 어두워지, 어두워진, 밤이 되, 날이 저물',
    ru: 'темнеет, наступает ночь/вечер, солнце ~ садится/заходит',
    ar: 'يحل الليل, يحل الظلام, تغرب الشمس',
  },
  sample: { prompt: 'night falls', picture: 'lake' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: ['sky'],
  sound: null,
  draw,
}

/** What of the dark lies on the ground before the sky goes dark: a thin veil by nearness. */
const groundMost = 0.41
/** The nearness from which all is as dark as the ground. */
const groundFrom = 0.75

function draw(scene: EffectScene): AirDrawing {
  const { strength, air, seconds, played, analysis } = scene
  const ground = shade(air, {
    layer: 'veil',
    lights: [
      {
        light: () => groundMost,
        by: analysis?.depth
          ? { map: air.near, share: (near) => Math.min(1, near / groundFrom), unknown: 0.5 }
          : { map: air.sky, share: (sky) => 1 - sky, unknown: 0.5 },
      },
    ],
    unit: [1, 1],
  })
  const share = (second: number) => changed(second, seconds, played)
  const deep = (second: number, level: number) => level * smoothstep(share(second)) * Math.min(1.15, 0.95 * strength)
  return drawing(scene, {
    passes: [
      (second, level) =>
        ground(
          () => middle,
          () => deep(second, level),
        ),
    ],
    light(level, second) {
      const warm = 0.5 * level * Math.sin(Math.PI * Math.min(1, share(second) * 1.1))
      const dark = deep(second, level)
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
