// Drops at many distances, with what they do to the light and the ground.

import { type Air, type AirDrawing, type EffectScene, steady } from '../../air/effect-scene.ts'
import { type Particle, wrap } from '../../air/particles.ts'
import { type Moment, particles } from '../../air/passes.ts'
import { caughtLight } from '../../air/picture-light.ts'
import type { AirEffect } from '../declaration.ts'

export const rain: AirEffect = {
  kind: 'air',
  label: 'rain',
  words: {
    en: 'rain/rains/raining/rainy/rained, raindrop/raindrops, rainstorm/rainstorms/rainfall, thunderstorm/thunderstorms, storm/storms/stormy, drizzl*, downpour*, monsoon, rain ~ pour*/fall*/streak*/hammer*/patter*',
    de: 'regen*, regnet/regnen, regnerisch, sturm*, gewitter*, nieselregen, es giesst',
    fr: 'pluie*, pleut/pleuvoir, pleut, averse*, orage*, tempete, bruine',
    es: 'lluvia*, llueve/llover/lloviendo, lluvioso/lluviosa, tormenta, aguacero, llovizna',
    it: 'pioggia*, piove/piovere/piovendo, piovoso/piovosa, tempesta, temporale, acquazzone',
    pt: 'chuva*, chove/chover/chovendo, chuvoso/chuvosa, tempestade, temporal',
    zh: '下雨, 下起雨, 暴风雨, 暴風雨, 雨水, 雨中, 雨夜, 雨天, 大雨, 小雨, 细雨, 細雨, 暴雨, 雨滴, 雷雨, 雨点, 春雨',
    ja: '雨, 嵐, 豪雨, 小雨, 大雨, 雷雨',
    ko: '비가, 비 오, 비가 내, 빗방울, 폭우, 폭풍, 빗속, 비 내, 소나기, 장대비, 이슬비',
    ru: 'дожд*, ливень/ливня, буря, шторм*, гроза/грозы',
    ar: 'مطر, أمطار, تمطر, عاصفة',
  },
  sample: { prompt: 'heavy rain', picture: 'rocket' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: 'rain',
  draw,
}

const drops = { count: 820, salt: 0x4a19 }
/** Seconds for which a drop is seen: its streak's length is what it falls in that time. */
const shutter = { far: 0.014, near: 0.026 }
/** A drop is as bright as what it mirrors: of 255, far and near. */
const brightness = { far: 84, near: 150 }
const splashes = { count: 190, salt: 0x59a5 }
/** What air that is full of water takes of far things, of 255: little, because more of it would grey the blacks. */
const mistMost = 12
/** How much a clouded sky takes of the light, by night and by day. */
const clouded = { night: 0.04, day: 0.2 }

function draw(scene: EffectScene): AirDrawing {
  const { seed, strength, air, ambient, mean } = scene
  const light = caughtLight(ambient)
  const slant = 0.06 + 0.05 * ((seed % 7) / 7)
  const lit = 0.5 + 0.5 * light
  return steady(scene, {
    passes: [
      particles(scene, {
        ...drops,
        layer: 'veil',
        draw({ x, y, near, a, b }, { second, shown, put }) {
          const speed = 1.15 + 1.1 * near + 0.2 * a
          const fallen = y + speed * second
          const down = wrap(fallen) * 1.2 - 0.1
          // A drop that has left the frame falls again at another place.
          const across = wrap(x + Math.floor(fallen) * 0.618 + slant * down)
          const [px, py] = [across * air.width, down * air.height]
          const length = speed * air.height * (shutter.far + (shutter.near - shutter.far) * near) * (0.7 + 0.6 * b)
          const level = (brightness.far + (brightness.near - brightness.far) * near * near) * (0.45 + 0.55 * b)
          const thick = (1 + 0.8 * near) * air.scale
          put('streaks', px, py, 1.2 * length * slant, length, thick, level * shown(px, py, near))
        },
      }),
      particles(scene, { ...splashes, layer: 'veil', draw: (particle, moment) => splash(air, particle, moment) }),
    ],
    light(level) {
      const dark = 1 - (clouded.night + (clouded.day - clouded.night) * light) * level * Math.min(1.2, strength)
      return { gain: [dark * 0.96, dark * 0.985, dark], veil: [0.8 * lit, 0.85 * lit, 0.92 * lit] }
    },
    mist: (level) => mistMost * Math.min(light, caughtLight(mean)) * level * Math.min(1, strength),
  })
}

const splashSeconds = 0.26
const splashDots = 10

/** A small crown on the ground: only low in the frame, where depth grows towards the camera. */
function splash(air: Air, { x, y, a, b }: Particle, { second, level, put }: Moment): void {
  const turn = second / (splashSeconds * (1 + 0.4 * b)) + a
  const round = Math.floor(turn)
  const age = turn - round
  const px = wrap(x + round * 0.7548) * air.width
  const py = (0.6 + 0.39 * wrap(y + round * 0.5698)) * air.height
  if (!isGround(air, px, py)) return
  const radius = (1 + 4.2 * age) * air.scale * (0.4 + (py / air.height - 0.55) * 2)
  const bright = 120 * level * (1 - age) ** 1.5
  for (let i = 0; i < splashDots; i++) {
    const angle = ((i + a) / splashDots) * 2 * Math.PI
    const up = 0.7 * radius * Math.sin(Math.PI * age) * (i % 2)
    put('discs', px + radius * Math.cos(angle), py + 0.38 * radius * Math.sin(angle) - up, 1.1 * air.scale, bright, 0)
  }
}

/** How much nearer ground comes over a twentieth of the frame's height; walls and things that stand do not. */
const slope = { least: 0.035, most: 0.27, reach: 0.045 }

function isGround({ near, height }: Air, x: number, y: number): boolean {
  const step = slope.reach * height
  const [above, below] = [near.at(x, y - step), near.at(x, Math.min(height - 1, y + step))]
  return above !== null && below !== null && below - above > slope.least && below - above < slope.most
}
