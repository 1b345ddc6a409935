// Lights out of focus, behind what is near.

import { type AirDrawing, drawing, type EffectScene } from '../../air/effect-scene.ts'
import { wrap } from '../../air/particles.ts'
import { particles } from '../../air/passes.ts'
import type { AirEffect } from '../declaration.ts'

export const bokeh: AirEffect = {
  kind: 'air',
  label: 'bokeh',
  words: {
    en: 'bokeh, blurred lights, bokeh lights/balls/circles',
    de: 'lichtpunkte, unscharfe lichter',
    fr: 'lumieres floues',
    es: 'luces desenfocadas/borrosas',
    it: 'luci sfocate',
    pt: 'luzes desfocadas',
    zh: '散景, 光斑',
    ja: '玉ボケ, ボケ',
    ko: '보케',
    ru: 'боке',
    ar: 'بوكيه',
  },
  sample: { prompt: 'bokeh', picture: 'portrait' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  draw,
}

const lights = { count: 30, salt: 0xb0c }
/** The nearness below which a background is out of focus; what is sharp shows no such lights. */
const blurredBelow = 0.63

function draw(scene: EffectScene): AirDrawing {
  const { air, ambient } = scene
  const [r, g, b] = ambient
  const warm = Math.max(r, g, b, 0.05)
  const spots = particles(scene, {
    ...lights,
    layer: 'glow',
    draw({ x, y, a, b }, { second, level, put }) {
      const across = wrap(x + 0.008 * second * (a - 0.5) + 0.01 * Math.sin(second * 0.4 + 6.28 * b))
      const down = wrap(y - 0.006 * second * (0.3 + b))
      const [px, py] = [across * air.width, down * air.height]
      const radius = (14 + 40 * a) * air.scale
      const pulse = 0.6 + 0.4 * Math.sin(second * (0.5 + 0.6 * b) + 6.28 * a)
      // Nothing comes or goes at the frame's edge.
      const inside = Math.min(1, 12 * Math.min(across, 1 - across, down, 1 - down))
      const behind = Math.min(1, Math.max(0, (blurredBelow - (air.near.at(px, py) ?? 0)) / 0.18))
      const shown = level * pulse * (0.35 + 0.65 * b) * inside * behind
      put('lensDiscs', px, py, radius, 150 * Math.sqrt(shown), Math.max(1.5, radius * 0.07))
    },
  })
  return drawing(scene, {
    passes: [spots],
    light: (level) => ({
      gain: [1 - 0.12 * level, 1 - 0.13 * level, 1 - 0.14 * level],
      glow: [0.82 + (0.34 * r) / warm, 0.54 + (0.24 * g) / warm, 0.22 + (0.18 * b) / warm],
    }),
  })
}
