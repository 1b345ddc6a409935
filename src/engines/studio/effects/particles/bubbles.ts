// Soap bubbles that rise and wobble.

import { type AirDrawing, drawing, type EffectScene } from '../../air/effect-scene.ts'
import type { Colour } from '../../air/mood.ts'
import { wrap } from '../../air/particles.ts'
import { particles } from '../../air/passes.ts'
import type { AirEffect } from '../declaration.ts'

export const bubbles: AirEffect = {
  kind: 'air',
  label: 'bubbles',
  words: {
    en: 'soap/air bubble/bubbles, bubble/bubbles, bubbles ~ rise*/rising/float*/drift*',
    de: 'seifenblasen, luftblasen, blasen steigen, seifenblasen ~ steigen/schweben',
    fr: 'bulles, bulles de savon',
    es: 'burbujas, pompas de jabon',
    it: 'bolle, bolle di sapone',
    pt: 'bolhas, bolhas de sabao',
    zh: '泡泡, 气泡, 氣泡, 肥皂泡',
    ja: 'シャボン玉, 泡',
    ko: '비눗방울, 거품, 물방울이 떠오',
    ru: 'пузыр*',
    ar: 'فقاعات',
  },
  sample: { prompt: 'soap bubbles', picture: 'portrait' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  draw,
}

const all = { count: 34, salt: 0xbbb1e }
/** The two colours that a thin film plays between. */
const filmColours: Colour[] = [
  [1, 0.5, 0.75],
  [0.4, 0.95, 1],
]

function draw(scene: EffectScene): AirDrawing[] {
  const { air, ambient } = scene
  const light = 0.55 + 0.45 * Math.min(1, Math.max(...ambient) / 0.4)
  return filmColours.map((colour, film) => {
    const floating = particles(scene, {
      ...all,
      layer: 'glow',
      draw({ x, y, near, a, b }, { second, shown, put }) {
        const radius = (6 + 14 * a + 44 * near) * air.scale
        // Large ones rise slowly.
        const risen = y + second * (0.085 - 0.04 * near) * (0.7 + 0.6 * b)
        const up = 1.1 - 1.2 * wrap(risen)
        const across = wrap(x + Math.floor(risen) * 0.618 + 0.022 * Math.sin(second * (0.5 + b) + 6.28 * a))
        const [px, py] = [across * air.width, up * air.height]
        const inside = Math.min(1, 14 * Math.max(0, Math.min(across, 1 - across)))
        const turn = second * (0.3 + 0.5 * a) + 6.28 * b + film * Math.PI
        const level = 255 * Math.sqrt(inside * shown(px, py, near - 0.25))
        put('bubbles', px, py, radius, level, Math.cos(turn), Math.sin(turn))
      },
    })
    const glow = colour.map((part) => part * light) as unknown as Colour
    return drawing(scene, { passes: [floating], light: () => ({ glow }) })
  })
}
