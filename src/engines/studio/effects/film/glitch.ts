// A broken transmission.

import { framesPerSecond } from '../../../../video/av/timing.ts'
import { seededRandom } from '../../../../video/random.ts'
import type { Look, LookSetup } from '../../film/film.ts'
import type { FilmEffect } from '../declaration.ts'

export const glitch: FilmEffect = {
  kind: 'film',
  label: 'glitch',
  words: {
    en: 'glitch/glitchy/glitches/glitching, glitch effect/art, datamosh*, digital distortion',
    de: 'bildstorung*',
    fr: 'interference*, interferences numeriques',
    es: 'fallo digital',
    it: 'glitch',
    pt: 'glitch',
    zh: '故障艺术, 故障风, 毛刺',
    ja: 'グリッチ',
    ko: '글리치',
    ru: 'глитч',
    ar: 'خلل رقمي',
  },
  sample: { prompt: 'glitch', picture: 'portrait' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  open,
}

/** Seconds between bursts and of a burst: at least, and by chance more. */
const rests = [0.5, 0.9] as const
const lasts = [0.12, 0.2] as const
const slices = 7
/** How far slices jump, in widths of the frame, and how far colours separate of that. */
const jump = 0.07
const apart = 0.14

/** Bursts of a fraction of a second in which slices of the frame jump aside and their colours separate. */
function open({ kernel, seed, seconds }: LookSetup): Look {
  const random = seededRandom(seed ^ 0x911c)
  const bursts: { at: number; seconds: number }[] = []
  for (let at = 0.5 + 0.4 * random(); at < seconds - 0.2; at += rests[0] + rests[1] * random()) {
    bursts.push({ at, seconds: lasts[0] + lasts[1] * random() })
  }
  return ({ y, u, v, width, height }, { second, level, strength }) => {
    const burst = bursts.find(({ at, seconds: length }) => second >= at && second < at + length)
    if (!burst) return
    // The picture holds each error for two frames.
    const own = seededRandom(seed + Math.floor((second * framesPerSecond) / 2))
    const reach = jump * width * level * Math.min(1.4, strength)
    for (let slice = 0; slice < slices; slice++) {
      const top = Math.floor((own() * height) / 2) * 2
      const rows = Math.min(height - top, 2 * Math.ceil(height * 0.05 * own() ** 2 + 2))
      const by = Math.round((own() - 0.5) * 2 * reach)
      kernel.slip(y.at + top * y.stride, y.stride, width, rows, by)
      for (const plane of [u, v]) {
        kernel.slip(plane.at + (top / 2) * plane.stride, plane.stride, plane.width, rows / 2, Math.round(by / 2))
      }
    }
    const aside = Math.round(reach * apart)
    kernel.slip(u.at, u.stride, u.width, u.height, aside)
    kernel.slip(v.at, v.stride, v.width, v.height, -aside)
  }
}
