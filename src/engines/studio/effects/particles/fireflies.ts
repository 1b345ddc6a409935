// Small lights that wander and blink.

import { type AirDrawing, drawing, type EffectScene } from '../../air/effect-scene.ts'
import { wrap } from '../../air/particles.ts'
import { particles } from '../../air/passes.ts'
import type { AirEffect } from '../declaration.ts'

export const fireflies: AirEffect = {
  kind: 'air',
  label: 'fireflies',
  words: {
    en: 'firefly/fireflies, fire flies, glowing/magic/magical/fairy/luminous particles/sparkles/dust/orbs, fairy/pixie/magic dust, sparkles ~ float*/drift*/rise*/dance*, fireflies ~ glow*/dance*/float*/drift*/blink*/flicker*',
    de: 'gluhwurmchen, leuchtkafer, leuchtende partikel, feenstaub, gluhwurmchen ~ leuchten/tanzen/schweben',
    fr: 'luciole/lucioles, particules lumineuses, lucioles ~ dansent/brillent',
    es: 'luciernaga/luciernagas, particulas luminosas/brillantes/magicas, luciernagas ~ brillan/bailan',
    it: 'lucciole, particelle luminose, lucciole ~ danzano/brillano',
    pt: 'vagalume/vagalumes, particulas luminosas, vagalumes ~ brilham/dancam',
    zh: '萤火虫, 螢火蟲, 发光粒子, 發光粒子, 光点 ~ 飘/飞',
    ja: '光の粒, 蛍, ホタル',
    ko: '빛 입자, 반딧불*',
    ru: 'светлячк*, светящиеся частицы',
    ar: 'جسيمات متوهجة, يراعات',
  },
  sample: { prompt: 'fireflies', picture: 'lake' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  draw,
}

const flies = { count: 64, salt: 0xf1f }

function draw(scene: EffectScene): AirDrawing {
  const { air } = scene
  const wandering = particles(scene, {
    ...flies,
    layer: 'glow',
    draw({ x, y, near, a, b }, { second, shown, put }) {
      const wander = second * (0.25 + 0.25 * a)
      const px = wrap(x + 0.05 * Math.sin(wander * 2.1 + 7 * b) + 0.02 * Math.sin(wander * 5.3)) * air.width
      const py = wrap(0.25 + 0.7 * y + 0.05 * Math.cos(wander * 1.7 + 9 * a)) * air.height
      const blink = Math.max(0, Math.sin(second * (1.1 + b) + 6.28 * a)) ** 2
      const bright = Math.sqrt(blink * shown(px, py, near))
      const radius = (2.4 + 3.4 * near) * air.scale
      put('halos', px, py, radius * 8, 150 * bright)
      put('discs', px, py, radius, 255 * bright, 0)
    },
  })
  return drawing(scene, {
    passes: [wandering],
    light(level) {
      const dim = 1 - 0.22 * level
      return { gain: [dim * 0.95, dim, dim * 1.02], glow: [0.85, 1, 0.28] }
    },
  })
}
