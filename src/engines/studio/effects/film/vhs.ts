// A home recording on tape.

import { frameNumber, grainTile, type Look, type LookSetup, rowsOf } from '../../film/film.ts'
import type { FilmEffect } from '../declaration.ts'

export const vhs: FilmEffect = {
  kind: 'film',
  label: 'VHS',
  words: {
    en: 'vhs, vhs look/style/tape/effect/footage, videotape, video tape look?, camcorder',
    de: 'videokassette',
    fr: 'cassette video',
    es: 'cinta de video',
    it: 'videocassetta',
    pt: 'fita de video',
    zh: '录像带, 錄像帶',
    ja: 'ビデオテープ',
    ko: '비디오테이프',
    ru: 'кассет*',
    ar: 'شريط فيديو',
  },
  sample: { prompt: 'vhs', picture: 'rocket' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  open,
}

/** The band of noise that wanders up: how far from its middle it reaches, in lines of 720, and how fast it goes, in heights per second. */
const band = { reach: 26, pace: 0.16, turn: 1.3 }
/** How far lines tremble, in pixels of 720 lines, and in the band. */
const tremble = { all: 1.1, inBand: 14 }
/** Noise, in hundredths of a level, and in the band. */
const rough = { all: 9, inBand: 60 }
/** Tape has a third of the detail, and dark lines. */
const blur = 0.3
const darker = 0.06
/** How far colour runs: pixels of 720 lines for red, a share of them for blue, and how slowly it changes. */
const runs = { red: 5, blue: 0.4, slow: 0.72 }

function open(setup: LookSetup): Look {
  const { kernel } = setup
  const noise = grainTile(setup)
  return ({ y, u, v, width, height }, { second, level, strength }) => {
    const amount = level * Math.min(1.3, strength)
    const frame = frameNumber(second)
    const scale = height / 720
    const middle = height * (1.15 - ((second * band.pace) % band.turn))
    const inWhole = (share: number) => Math.round(256 * share)
    for (let row = 0; row < height; row++) {
      const inBand = Math.max(0, 1 - Math.abs(row - middle) / (band.reach * scale))
      const aside =
        tremble.all * Math.sin(row * 0.09 + frame * 1.7) + tremble.inBand * inBand * Math.sin(row * 0.8 + frame)
      const line = y.at + row * y.stride
      const tile = noise + (((row + frame * 131) & 511) << 9)
      const light = row & 2 ? 1 - darker * amount : 1
      const noisy = (amount * (rough.all + rough.inBand * inBand)) / 100
      kernel.slip(line, y.stride, width, 1, Math.round(aside * amount * scale))
      kernel.tapeRow(line, width, inWhole(blur * Math.min(1, amount)), inWhole(light), tile, frame * 67, inWhole(noisy))
    }
    const run = Math.round(runs.red * amount * scale)
    for (const [plane, by] of [
      [u, Math.round(run * runs.blue)],
      [v, run],
    ] as const) {
      kernel.run(...rowsOf(plane, 0, plane.height), inWhole(1 - runs.slow * amount))
      kernel.slip(plane.at, plane.stride, plane.width, plane.height, by)
    }
  }
}
