// Motes that hang in the light.

import { type AirDrawing, drawing, type EffectScene } from '../../air/effect-scene.ts'
import { wrap } from '../../air/particles.ts'
import { particles } from '../../air/passes.ts'
import type { AirEffect } from '../declaration.ts'

export const dust: AirEffect = {
  kind: 'air',
  label: 'dust',
  words: {
    en: 'dust particle/particles/mote/motes/speck/specks, dust, dusty air, floating particles, dust/particles ~ float*/drift*/danc*/swirl*/rise*/rising/blow*/hang*/fly*/settl*',
    de: 'staub, staubpartikel, staubkorner, staub ~ wirbelt/schwebt/tanzt',
    fr: 'poussiere/poussieres, particules de poussiere',
    es: 'polvo, motas de polvo',
    it: 'polvere, pulviscolo',
    pt: 'poeira, poeira ~ levanta*/sobe',
    zh: '尘埃, 塵埃, 浮尘, 灰尘, 尘土, 尘土飞扬, 扬尘, 灰尘 ~ 飘/扬',
    ja: 'ほこり, 埃, 塵が, 塵 ~ 舞',
    ko: '먼지*',
    ru: 'пылинк*, пыль/пыли/пылью',
    ar: 'غبار, أتربة',
  },
  sample: { prompt: 'dust', picture: 'coffee' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: true,
  sees: [],
  sound: null,
  draw,
}

const motes = { count: 460, salt: 0xd057 }
/** Motes nearer than this are out of focus, large and faint. */
const sharpUntil = 0.62

function draw(scene: EffectScene): AirDrawing {
  const { air, ambient } = scene
  const brightest = Math.max(...ambient)
  const lit = 0.6 + 0.4 * Math.min(1, brightest / 0.3)
  const hanging = particles(scene, {
    ...motes,
    layer: 'glow',
    draw({ x, y, near, a, b }, { second, shown, put }) {
      const across = wrap(x + 0.016 * second * (b - 0.3) + 0.014 * Math.sin(second * 0.5 + 6.28 * a))
      const down = wrap(y - 0.013 * second * (0.2 + a) + 0.012 * Math.sin(second * 0.37 + 6.28 * b))
      const [px, py] = [across * air.width, down * air.height]
      const inside = Math.min(1, 20 * Math.min(across, 1 - across, down, 1 - down))
      // A mote glints as it turns.
      const turned = 0.45 + 0.55 * Math.max(0, Math.sin(second * (0.6 + b) + 6.28 * a)) ** 2
      const blurred = Math.max(0, near - sharpUntil)
      // Larger than a pixel: a sharp bright one looks like a fault of the sensor.
      const radius = (1.9 + 2 * near + 18 * blurred) * air.scale
      const bright = blurred > 0 ? 92 - 80 * blurred : 250 * (0.4 + 0.6 * b)
      put('discs', px, py, radius, bright * Math.sqrt(inside * turned * shown(px, py, near)), blurred > 0 ? 0.35 : 0)
    },
  })
  const [r, g, b] = ambient.map((own) => lit * (0.5 + (0.5 * own) / brightest))
  return drawing(scene, {
    passes: [hanging],
    light(level) {
      // In a dimmer room they stand out.
      const dim = 1 - 0.17 * level
      return { gain: [dim, dim * 0.985, dim * 0.96], glow: [1.5 * r!, 1.32 * g!, 0.88 * b!] }
    },
  })
}
