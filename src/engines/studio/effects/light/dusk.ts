// The day goes.

import { dusk as drawDusk } from '../../air/daylight.ts'
import type { AirEffect } from '../declaration.ts'

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
  cost: 'high',
  draw: drawDusk,
}
