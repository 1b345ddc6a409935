// A wind full of sand: banks of it race across, thickest where the picture is far, and grains streak past.

import { type AirDrawing, drawing, type EffectScene } from '../../air/effect-scene.ts'
import { field } from '../../air/fields.ts'
import type { Colour } from '../../air/mood.ts'
import { wrap } from '../../air/particles.ts'
import { particles } from '../../air/passes.ts'
import type { AirEffect } from '../declaration.ts'

export const sandstorm: AirEffect = {
  kind: 'air',
  label: 'sandstorm',
  words: {
    en: 'sand/dust storm/storms, sandstorm/sandstorms, blow/blows/blowing sand, sand ~ blow*/drift*/swirl*/whip*',
    de: 'sandsturm, staubsturm',
    fr: 'tempete de sable/poussiere',
    es: 'tormenta de arena/polvo',
    it: 'tempesta di sabbia/polvere',
    pt: 'tempestade de areia/poeira',
    zh: '沙尘暴, 沙塵暴, 风沙, 風沙, 砂嵐',
    ja: '砂嵐',
    ko: '모래 폭풍, 모래폭풍, 모래 바람, 모래바람',
    ru: 'песчаная/пыльная буря',
    ar: 'عاصفة رملية, عاصفة ترابية',
  },
  sample: { prompt: 'sandstorm', picture: 'rocket' },
  rise: 'slow',
  joins: 'rough',
  windborne: true,
  isLight: false,
  sees: [],
  sound: 'wind',
  draw,
}

const sand: Colour = [0.5, 0.34, 0.17]
/** What a storm leaves of the light. */
const left: Colour = [0.92, 0.84, 0.7]
/** How dense the banks are where the picture is farthest, and on what is nearest. */
const bank = { far: 0.85, near: 0.12 }
const grains = { count: 460, salt: 0x5a9d }
/** Pixels of 720 lines, widths of the frame per second, and of 255. */
const grain = { length: 26, speed: 0.9, level: 90 }

function draw(scene: EffectScene): AirDrawing {
  const { air, strength, ambient } = scene
  const lit = 0.35 + 0.65 * Math.min(1, Math.max(...ambient) / 0.45)
  const banks = field(air, {
    layers: [
      { size: 200, flat: 2.2, pace: [-90, 6], weight: 0.3 },
      { size: 460, flat: 1.5, pace: [-150, 0], weight: 0.2 },
    ],
    base: 0.55,
    by: { map: air.near, share: (near) => bank.far + (bank.near - bank.far) * near, unknown: 0.5 },
    most: (_, level) => 255 * level * Math.min(1, strength),
  })
  const blown = particles(scene, {
    ...grains,
    layer: 'veil',
    draw({ x, y, near, a, b }, { second, shown, put }) {
      const gone = x + second * grain.speed * (0.6 + 0.8 * near + 0.2 * a)
      const across = (wrap(gone) * 1.2 - 0.1) * air.width
      const down = wrap(y + Math.floor(gone) * 0.618 + 0.02 * Math.sin(second * (1 + b) + 6.28 * a)) * air.height
      const length = grain.length * air.scale * (0.6 + near)
      put('streaks', across, down, length, 0.12 * length, 1.2 * air.scale, grain.level * shown(across, down, near))
    },
  })
  return drawing(scene, {
    passes: [banks, blown],
    light: (level) => ({
      gain: left.map((own) => 1 - (1 - own) * level * Math.min(1.2, strength)) as unknown as Colour,
      veil: sand.map((own) => own * lit) as unknown as Colour,
    }),
  })
}
