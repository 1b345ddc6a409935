// Fog that is thickest where the picture is far, and drifts.

import { smoothstep } from '../../../../video/smoothstep.ts'
import { type AirDrawing, drawing, type EffectScene } from '../../air/effect-scene.ts'
import { field } from '../../air/fields.ts'
import type { Colour } from '../../air/mood.ts'
import { brightnessOf } from '../../air/picture-light.ts'
import type { PictureAnalysis } from '../../picture-analysis.ts'
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
  draw,
}

/** How dense fog is at the farthest, and the exponent by which it thins out towards the camera. */
const fogMost = 0.86
const fogThins = 1.7
/** What of it lies before the nearest. */
const fogNear = 0.03
/** It lies low: over this share of the frame's height it loses so much of itself upwards. */
const thinning = { over: 0.5, by: 0.65 }
/** Before one's feet there is hardly any, whatever the depth map says of a plain road. */
const clearing = { over: 0.34, by: 0.7 }

function draw(scene: EffectScene): AirDrawing {
  const { strength, air, ambient, highlight, mean, analysis } = scene
  const veil = fogColour(ambient, highlight, mean)
  const top = fogTop(analysis)
  const farthest = farthestTenth(analysis)
  const far = (near: number) => Math.min(1, (1 - near) / (1 - Math.min(0.67, farthest))) ** fogThins
  const most = (down: number, level: number) => {
    const low = 1 - thinning.by * smoothstep((top - down) / thinning.over)
    const before = 1 - clearing.by * smoothstep((down - 1 + clearing.over) / clearing.over)
    return 255 * Math.min(0.97, fogMost * strength) * level * low * before
  }
  const banks = field(air, {
    layers: [
      { size: 190, flat: 2, pace: [5, 1.1], weight: 0.46 },
      { size: 400, flat: 1.24, pace: [-3, 0], weight: 0.24 },
    ],
    base: 0.42,
    by: { map: air.near, share: (near) => fogNear + (1 - fogNear) * far(near), unknown: 0.55 },
    most,
  })
  return drawing(scene, { passes: [banks], light: () => ({ veil }) })
}

/** Fog has the colour of the picture's light, paler, and shines in the light between the trunks of a dark wood. */
function fogColour(ambient: Colour, highlight: Colour, mean: Colour): Colour {
  const [lit, lights] = [brightnessOf(ambient), brightnessOf(highlight)]
  // The lamps of a night do not make a day of it.
  const bright = Math.min(Math.max(lit, 0.5 * lights), 0.07 + 2.4 * brightnessOf(mean))
  return ambient.map((own) => bright * (0.45 * (own / lit) + 0.55)) as unknown as Colour
}

/** Where fog begins to thin out, in the frame's height: in the middle, or above the horizon of a high sky. */
function fogTop(analysis: PictureAnalysis | null): number {
  const sky = analysis?.sky
  return Math.max(0.5, sky ? sky.data.reduce((sum, own) => sum + own, 0) / sky.data.length : 0)
}

/** In a wood or a room nothing is far: there fog is densest on the farthest tenth of what is. */
function farthestTenth(analysis: PictureAnalysis | null): number {
  const near = analysis?.depth?.data.toSorted()
  return near ? near[Math.floor(near.length / 10)]! : 0
}
