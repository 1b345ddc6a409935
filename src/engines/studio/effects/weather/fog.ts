// Fog that is thickest where the picture is far, and drifts.

import { fog as drawFog } from '../../air/weather.ts'
import type { AirEffect } from '../declaration.ts'

export const fog: AirEffect = {
  kind: 'air',
  label: 'fog',
  words: {
    en: 'fog/foggy, mist/mists/misty, haze/hazy, fog/mist/haze ~ roll*/drift*/creep*/rise*/rising/swirl*/float*/settle*/hang*/fill*, mist filled, fog covered',
    de: 'nebel, neblig/nebelig/nebliger, dunst, nebelschwaden, nebel ~ zieht/steigt',
    fr: 'brouillard, brume*, brumeux/brumeuse',
    es: 'niebla, neblina, bruma, brumoso/brumosa',
    it: 'nebbia, foschia, nebbioso/nebbiosa',
    pt: 'nevoa, nevoeiro, neblina, bruma, enevoado/enevoada',
    zh: '雾, 霧, 薄雾, 晨雾, 浓雾, 雾气, 雾 ~ 弥漫/飘/笼罩/散',
    ja: 'もや, 霧, 朝霧, 霞, 霧 ~ 漂/立ち込/流れ',
    ko: '안개*, 물안개',
    ru: 'туман*, дымк*, мгла',
    ar: 'ضباب, الضباب',
  },
  sample: { prompt: 'fog', picture: 'lake' },
  rise: 'slow',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: ['sky'],
  sound: 'wind',
  cost: 'high',
  draw: drawFog,
}
