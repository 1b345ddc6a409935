// Stars that twinkle in a dark sky.

import { stars as drawStars } from '../../air/stars.ts'
import type { AirEffect } from '../declaration.ts'

export const stars: AirEffect = {
  kind: 'air',
  label: 'twinkling stars',
  words: {
    en: 'twinkling/glittering/sparkling/blinking/shimmering star/stars, stars ~ twinkl*/shin*/appear*/glitter*/sparkl*/emerg*/glow*, stars come out, starry sky/night, starlit sky',
    de: 'sternenhimmel, sterne ~ funkeln/leuchten/glitzern/erscheinen',
    fr: 'ciel etoile, etoiles ~ scintillent/brillent',
    es: 'cielo estrellado, estrellas ~ brillan/titilan/parpadean',
    it: 'cielo stellato, stelle ~ brillano/scintillano',
    pt: 'ceu estrelado, estrelas ~ brilham/cintilam',
    zh: '星空, 繁星, 星星 ~ 闪, 星光 ~ 闪, 满天星',
    ja: '星が瞬, 星がきらめ, 満天の星, 星空, 星 ~ 瞬/輝',
    ko: '별이 반짝, 별빛, 별이 빛나, 밤하늘의 별',
    ru: 'звездное небо, звезды ~ мерцают/сияют/мигают',
    ar: 'النجوم تتلألأ, سماء مرصعة, النجوم ~ تلمع/تتلألأ',
  },
  sample: { prompt: 'stars twinkle', picture: 'rocket' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: ['sky'],
  sound: null,
  draw: drawStars,
}
