// Beams of light in the air.

import { sunrays as drawSunrays } from '../../air/sunlight.ts'
import type { AirEffect } from '../declaration.ts'

export const sunrays: AirEffect = {
  kind: 'air',
  label: 'sunrays',
  words: {
    en: 'sunray/sunrays/sunbeam/sunbeams, sun/god/light ray/rays, sun/light beam/beams/shaft/shafts, shaft/shafts/ray/rays/beam/beams of sun/light/sunlight, crepuscular, volumetric light/lighting/rays, sun/sunlight/light ~ stream*/pour*/filter*/shin* through, sunlight through, sunlight ~ through the? window/windows/trees/leaves/canopy/blinds/curtains, light streams, dappled sunlight/light',
    de: 'sonnenstrahl*, lichtstrahl*, licht/sonne ~ fallt/scheint durch',
    fr: 'rayon/rayons de soleil/lumiere, rayons du soleil',
    es: 'rayo/rayos de sol/luz, rayos del sol',
    it: 'raggio/raggi di sole/luce, raggi del sole',
    pt: 'raio/raios de sol/luz, raios do sol',
    zh: '阳光洒, 阳光透过, 阳光穿过, 阳光照射, 阳光 ~ 洒/透过/穿过, 光束, 光线穿, 丁达尔, 陽光 ~ 灑/透過, 光芒, 光线透过, 一缕阳光',
    ja: '木漏れ日, 光芒, 差し込む光, 光が差し込, 陽射し, 日差し ~ 差し込',
    ko: '햇살, 빛줄기, 햇빛이 비치, 빛 내림',
    ru: 'лучи солнца/света, лучах солнца/света, солнечные лучи, луч света',
    ar: 'أشعة الشمس, أشعة الضوء',
  },
  sample: { prompt: 'sunrays', picture: 'lake' },
  rise: 'slow',
  joins: 'smooth',
  windborne: false,
  isLight: true,
  sees: ['bright', 'sun'],
  sound: null,
  cost: 'high',
  draw: drawSunrays,
}
