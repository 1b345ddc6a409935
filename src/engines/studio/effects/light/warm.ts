// A warm tint of all light.

import type { AirEffect } from '../declaration.ts'
import { tint } from './daylight.ts'

export const warm: AirEffect = {
  kind: 'air',
  label: 'warm light',
  words: {
    en: 'warm/warmer/warming/golden ~ light/lighting/tone/tones/glow/color/colors/colour/colours/sunlight, warm/golden light/lighting/tones/glow/colors/colours/sunlight, golden hour, sunset/sunsets, sundown, afterglow, light ~ grows/turns/becomes/gets warm/warmer/golden, burning/fiery sunset/sky, setting sun',
    de: 'warmes/goldenes/warme licht/farben/lichtstimmung, sonnenuntergang*, abendrot, abendsonne, goldene stunde, warmem/goldenem licht',
    fr: 'lumiere chaude/doree, coucher de/du? soleil, heure doree, tons chauds, couleurs chaudes',
    es: 'luz calida/dorada, atardecer, puesta de/del? sol, hora dorada, tonos calidos',
    it: 'luce calda/dorata, tramonto, ora d oro, colori caldi, toni caldi',
    pt: 'luz quente/dourada, por do sol, entardecer, hora dourada, tons quentes',
    zh: '夕阳, 夕陽, 日落, 晚霞, 暖光, 暖色, 暖色调, 金色 的? 阳光, 黄金时刻, 温暖 的? 光线/阳光/光/灯光/色调',
    ja: '夕日, 夕焼け, 暖かい光, 黄金の光, ゴールデンアワー, 夕暮れの光',
    ko: '노을, 석양, 일몰, 따뜻한 빛, 따뜻한 조명, 따스한 빛, 황금빛, 골든 아워',
    ru: 'закат*, теплый/теплого/теплым/мягкий? теплый свет/света/светом, золотой час, золотой свет',
    ar: 'غروب, غروب الشمس, ضوء دافئ, الساعة الذهبية, إضاءة دافئة',
  },
  sample: { prompt: 'warm light', picture: 'portrait' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: true,
  sees: [],
  sound: null,
  draw: tint([1.16, 1, 0.74]),
}
