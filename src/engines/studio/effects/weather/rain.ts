// Drops at many distances, with what they do to the light and the ground.

import { rain as drawRain } from '../../air/weather.ts'
import type { AirEffect } from '../declaration.ts'

export const rain: AirEffect = {
  kind: 'air',
  label: 'rain',
  words: {
    en: 'rain/rains/raining/rainy/rained, raindrop/raindrops, rainstorm/rainstorms/rainfall, thunderstorm/thunderstorms, storm/storms/stormy, drizzl*, downpour*, monsoon, rain ~ pour*/fall*/streak*/hammer*/patter*',
    de: 'regen*, regnet/regnen, regnerisch, sturm*, gewitter*, nieselregen, es giesst',
    fr: 'pluie*, pleut/pleuvoir, pleut, averse*, orage*, tempete, bruine',
    es: 'lluvia*, llueve/llover/lloviendo, lluvioso/lluviosa, tormenta, aguacero, llovizna',
    it: 'pioggia*, piove/piovere/piovendo, piovoso/piovosa, tempesta, temporale, acquazzone',
    pt: 'chuva*, chove/chover/chovendo, chuvoso/chuvosa, tempestade, temporal',
    zh: '下雨, 下起雨, 暴风雨, 暴風雨, 雨水, 雨中, 雨夜, 雨天, 大雨, 小雨, 细雨, 細雨, 暴雨, 雨滴, 雷雨, 雨点, 春雨',
    ja: '雨, 嵐, 豪雨, 小雨, 大雨, 雷雨',
    ko: '비가, 비 오, 비가 내, 빗방울, 폭우, 폭풍, 빗속, 비 내, 소나기, 장대비, 이슬비',
    ru: 'дожд*, ливень/ливня, буря, шторм*, гроза/грозы',
    ar: 'مطر, أمطار, تمطر, عاصفة',
  },
  sample: { prompt: 'heavy rain', picture: 'rocket' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: 'rain',
  cost: 'high',
  draw: drawRain,
}
