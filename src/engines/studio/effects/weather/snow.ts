// Flakes that sway as they fall.

import { framesPerSecond } from '../../../../video/av/timing.ts'
import { type AirDrawing, type EffectScene, steady } from '../../air/effect-scene.ts'
import { wrap } from '../../air/particles.ts'
import { particles } from '../../air/passes.ts'
import { caughtLight } from '../../air/picture-light.ts'
import type { AirEffect } from '../declaration.ts'

export const snow: AirEffect = {
  kind: 'air',
  label: 'snow',
  words: {
    en: 'snow/snows/snowing/snowfall/snowstorm/snowstorms, snowflake/snowflakes, blizzard*, snow ~ fall*/drift*/float*/swirl*, snow storm, flurries',
    de: 'schnee, schneefall, schneeflocken, schneesturm, schneit/schneien, schnee ~ fallt/fallen/rieselt/wirbelt, flocken ~ fallen/tanzen',
    fr: 'neige, neiger, flocon*, tempete de neige, neige ~ tombe/tombent',
    es: 'nieve, nieva/nevar/nevando/nevada, ventisca, copos, tormenta de nieve, nieve ~ cae/cayendo',
    it: 'neve, nevica/nevicare/nevicando/nevicata, bufera, fiocchi, tempesta di neve, neve ~ cade/scende',
    pt: 'neve, neva/nevar/nevando/nevasca, flocos, tempestade de neve, neve ~ cai/caindo',
    zh: '下雪, 飘雪, 飄雪, 雪花, 大雪, 降雪, 暴雪, 雪 ~ 飘落/落下/纷飞',
    ja: '雪が, 雪 ~ 降/舞, 吹雪, 粉雪, 降雪',
    ko: '눈이 내, 눈이 오, 눈송이, 눈보라, 눈 내, 함박눈, 눈발',
    ru: 'снег/снега, снегопад*, метель/метели, снежинк*, вьюга, снежная буря, снег ~ идет/падает/кружит*',
    ar: 'ثلج, ثلوج, عاصفة ثلجية',
  },
  sample: { prompt: 'snow falls', picture: 'rocket' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: 'wind',
  draw,
}

const flakes = { count: 700, salt: 0x5309 }
/** Flakes nearer than this are out of focus. */
const sharpUntil = 0.72
/** What air that is full of snow takes of far things, of 255: little, because more of it would grey the blacks. */
const mistMost = 9

function draw(scene: EffectScene): AirDrawing {
  const { strength, air, ambient, mean } = scene
  const light = caughtLight(ambient)
  const lit = 0.5 + 0.5 * light
  return steady(scene, {
    passes: [
      particles(scene, {
        ...flakes,
        layer: 'veil',
        draw({ x, y, near, a, b }, { second, shown, put }) {
          const speed = 0.07 + 0.2 * near + 0.03 * a
          const fallen = y + speed * second
          const down = wrap(fallen) * 1.1 - 0.05
          const sway = (0.006 + 0.012 * near) * Math.sin(second * (0.7 + b) + 6.283 * a)
          const across = wrap(x + Math.floor(fallen) * 0.618 + sway + 0.015 * second * (0.4 + near))
          const [px, py] = [across * air.width, down * air.height]
          const own = (1.2 + 2.4 * near + 11 * Math.max(0, near - sharpUntil)) * air.scale
          // Never smaller than what it falls while the shutter is open, half of a frame's time, nor than two pixels: a
          // sharper dot would flicker as it passes from row to row. What it loses in sharpness it loses in brightness.
          const radius = Math.max(own, 1.8 * air.scale, (0.8 * speed * air.height) / (2 * framesPerSecond))
          const sharp = near > sharpUntil ? 0.4 : own / radius
          put('discs', px, py, radius, 240 * sharp * (0.5 + 0.5 * b) * shown(px, py, near), 0.1)
        },
      }),
    ],
    light(level) {
      const dim = 1 - 0.08 * level
      return { gain: [dim * 0.97, dim * 0.985, dim], veil: [0.86 * lit, 0.89 * lit, 0.94 * lit] }
    },
    // Far things fade: the air is full of snow.
    mist: (level) => mistMost * Math.min(light, caughtLight(mean)) * level * Math.min(1, strength),
  })
}
