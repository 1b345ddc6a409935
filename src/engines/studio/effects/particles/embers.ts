// Sparks that rise and curl.

import { type AirDrawing, drawing, type EffectScene } from '../../air/effect-scene.ts'
import { wrap } from '../../air/particles.ts'
import { particles } from '../../air/passes.ts'
import type { AirEffect } from '../declaration.ts'

export const embers: AirEffect = {
  kind: 'air',
  label: 'embers',
  words: {
    en: 'ember/embers, sparks, floating/glowing ash, embers/sparks ~ fly*/float*/drift*/rise*/rising/glow*/swirl*',
    de: 'funken, glut, funken ~ fliegen/spruhen, glut glimmt',
    fr: 'braises, etincelles, etincelles ~ volent',
    es: 'brasas, chispas, chispas ~ vuelan/volando',
    it: 'scintille, braci, scintille ~ volano',
    pt: 'brasas, faiscas',
    zh: '火花, 余烬, 餘燼, 火星, 火花 ~ 飞溅/飞',
    ja: '火花, 火の粉',
    ko: '불꽃이 날, 불씨, 불티',
    ru: 'искры/искр/искрами, угольк*, искры ~ летят/летают',
    ar: 'شرر, جمر',
  },
  sample: { prompt: 'embers', picture: 'rocket' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: 'fire',
  draw,
}

const sparks = { count: 170, salt: 0xe3b }

function draw(scene: EffectScene): AirDrawing {
  const { air } = scene
  const rising = particles(scene, {
    ...sparks,
    layer: 'glow',
    draw({ x, y, near, a, b }, { second, shown, put }) {
      const speed = 0.09 + 0.16 * near + 0.06 * a
      const risen = y + speed * second
      const up = 1.04 - wrap(risen) * 1.15
      const turn = second * (0.9 + 1.4 * b) + 6.28 * a + 5 * up
      const across = wrap(x + Math.floor(risen) * 0.618 + 0.03 * Math.sin(turn) + 0.02 * second)
      const [px, py] = [across * air.width, up * air.height]
      // Brighter below, where it is hot; each flickers for itself.
      const flicker = 0.65 + 0.35 * Math.sin(second * (7 + 9 * b) + 40 * a)
      const heat = Math.min(1, Math.max(0, 0.25 + 0.9 * up)) * flicker
      const bright = Math.sqrt(heat * shown(px, py, near))
      const radius = (0.7 + 1.7 * near * (0.4 + b)) * air.scale
      put('discs', px, py, radius * 6, 70 * bright, 0)
      // Its motion blur: a short stroke, bent as the spark curls.
      const length = (2 + 30 * speed * (0.5 + a)) * air.scale
      const lean = length * 0.7 * Math.cos(turn)
      put('streaks', px - lean / 2, py + length / 2, lean, -length, radius * 1.5, 300 * bright)
    },
  })
  return drawing(scene, {
    passes: [rising],
    light(level) {
      const dim = 1 - 0.1 * level
      return { gain: [dim, dim * 0.985, dim * 0.96], glow: [1.6, 0.5, 0.1] }
    },
  })
}
