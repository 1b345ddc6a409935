// Beams of light in the air.

import { type AirDrawing, drawing, type EffectScene } from '../../air/effect-scene.ts'
import { beams } from '../../air/fields.ts'
import { cloudNoise, noiseAt, noiseSide } from '../../air/noise.ts'
import { hasBackdrop } from '../../air/picture-light.ts'
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
  draw,
}

/** Beams per turn, how sharply they stand apart, and how bright they are. Light from a window is wider and softer. */
const beamsInView = { turns: 2, from: 0.35, contrast: 2.6, bright: 1.5 }
const beamsFromAside = { turns: 3, from: 0, contrast: 1, bright: 0.5 }
/** How much of what is near beams are seen before, and of what shines itself: a bright sky would turn white. */
const hiddenBy = { near: 0.6, bright: 0.7 }
/** Light in the air where none comes from, and where light from aside falls in. */
const least = 0.06
const aside = 0.35

function draw(scene: EffectScene): AirDrawing | null {
  const { air, ambient, strength, analysis } = scene
  const sun = scene.sun()
  if (sun.unseen && analysis && hasBackdrop(analysis)) return null
  const noise = cloudNoise()
  const { turns, from, contrast, bright } = sun.unseen ? beamsFromAside : beamsInView
  // A dark picture has little light that could fall in from aside.
  const most = sun.unseen ? bright * Math.min(1, Math.max(...ambient) / 0.5) : sun.shown ? 1 : bright
  const drawBeams = beams(air, {
    // What is bright in a close picture is lit: it sends out no beams.
    source: { map: air.bright, share: (own) => least + (sun.unseen ? aside : own), unknown: least + aside },
    // A whole turn is a whole number of tiles, so that no seam shows where the angle wraps around.
    shaft: (turn, second) => {
      const broken = noiseAt(noise, turn * noiseSide * turns + second * 1.4, second * 3 + 30)
      return Math.min(1, Math.max(0, (broken - from) * contrast))
    },
    curve: (gathered) => most * Math.min(1.4, strength) * gathered ** 1.6,
    falls: (distance) => Math.exp(-1.1 * distance),
    // Around the light itself all is light: beams that met in a point would cut its disc into slices.
    bloom: (distance) => {
      return 0.16 * Math.exp(-11 * distance) + (sun.shown ? 0.75 * Math.exp(-900 * distance * distance) : 0)
    },
    open: [
      { map: air.near, share: (near) => 1 - hiddenBy.near * near, unknown: 0.75 },
      { map: air.bright, share: (own) => 1 - hiddenBy.bright * own, unknown: 1 },
    ],
  })
  return drawing(scene, {
    passes: [(second) => drawBeams(second, sun.unseen ? sun : air.now(sun))],
    light(level) {
      const dim = 1 - 0.1 * level
      return { gain: [dim, dim * 0.99, dim * 0.96], glow: [level, 0.86 * level, 0.56 * level] }
    },
  })
}
