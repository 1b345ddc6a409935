// A wind full of sand: banks of it race across, thickest where the picture is far, and grains streak past.

import type { AirDrawing, EffectScene } from '../../air/effect-scene.ts'
import type { Colour } from '../../air/mood.ts'
import { cloudNoise, noiseAt } from '../../air/noise.ts'
import { makeParticles, streak, visibility, wrap } from '../../air/particles.ts'
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
    zh: '沙尘暴, 沙塵暴, 风沙',
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
  cost: 'high',
  draw,
}

const sand: Colour = [0.5, 0.34, 0.17]
/** What a storm leaves of the light. */
const left: Colour = [0.92, 0.84, 0.7]
/** How dense the banks are where the picture is farthest, and on what is nearest. */
const bank = { far: 0.85, near: 0.18 }
/** Widths of the noise's tile per second. */
const drift = { banks: 90, eddies: 150, down: 6 }
const grains = 520
const grain = { length: 26, speed: 0.9, faint: 70 }

function draw({ air, seed, strength, ambient }: EffectScene): AirDrawing {
  const noise = cloudNoise()
  const { width, height } = air.half
  const map = new Uint8Array(width * height)
  const blown = makeParticles(Math.round(grains * strength), seed ^ 0x5a9d)
  const lit = 0.35 + 0.65 * Math.min(1, Math.max(...ambient) / 0.45)
  const scale = 200 / height
  return (second, level) => {
    const { near } = air
    const most = 255 * level * Math.min(1, strength)
    for (let row = 0, i = 0; row < height; row++) {
      for (let column = 0; column < width; column++, i++) {
        const far = near ? 1 - near[i]! / 255 : 0.5
        const slow = noiseAt(noise, column * scale - drift.banks * second, row * scale * 2.2 + drift.down * second)
        const quick = noiseAt(noise, column * scale * 2.3 - drift.eddies * second, row * scale * 3.5 + 70)
        const dense = Math.min(1, 0.35 + 0.5 * slow + 0.3 * quick)
        map[i] = most * dense * (bank.near + (bank.far - bank.near) * far)
      }
    }
    air.setVeil(map)
    air.setGlow(null)
    const plane = air.veil()
    for (const { x, y, near: own, a, b } of blown) {
      const gone = x + second * grain.speed * (0.6 + 0.8 * own + 0.2 * a)
      const across = wrap(gone) * 1.2 - 0.1
      const down = wrap(y + Math.floor(gone) * 0.618 + 0.02 * Math.sin(second * (1 + b) + 6.28 * a))
      const length = grain.length * (air.height / 720) * (0.6 + own)
      const shown = level * grain.faint * visibility(air, across * air.width, down * air.height, own)
      const [px, py] = [across * air.width, down * air.height]
      streak(plane, air, px, py, length, 0.12 * length, 1.2 * (air.height / 720), shown)
    }
    const gain = left.map((own) => 1 - (1 - own) * level * Math.min(1.2, strength)) as unknown as Colour
    return { gain, veil: sand.map((own) => own * lit) as unknown as Colour, glow: [1, 1, 1] }
  }
}
