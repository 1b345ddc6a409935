// A cold tint of all light.

import type { AirEffect } from '../declaration.ts'
import { tint } from './daylight.ts'

export const cold: AirEffect = {
  kind: 'air',
  label: 'cold light',
  words: {
    en: 'cold/cool/icy/bluish/colder/cooler blue? light/lighting/tone/tones/glow/color/colors/colour/colours, moonlight/moonlit, blue hour',
    de: 'kaltes/kuhles licht, mondlicht, blaue stunde, kalte farben',
    fr: 'lumiere froide/bleutee, clair de lune, tons froids',
    es: 'luz fria, luz de la luna, luz de luna, tonos frios',
    it: 'luce fredda, chiaro di luna, luce della luna, toni freddi',
    pt: 'luz fria, luz da lua, luar, tons frios',
    zh: '冷光, 冷色, 冷色调, 月光',
    ja: '寒色, 冷たい光, 月明かり, 月光',
    ko: '차가운 빛, 달빛, 차가운 톤',
    ru: 'холодный/холодного/холодным/холодные свет/света/светом/тона, лунный/лунном свет/свете',
    ar: 'ضوء بارد, ضوء القمر',
  },
  sample: { prompt: 'cold light', picture: 'portrait' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: true,
  sees: [],
  sound: null,
  draw: tint([0.66, 0.92, 1.2]),
}
