// A home recording on tape.

import { vhs as vhsLook } from '../../film/tape.ts'
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
  cost: 'high',
  open: vhsLook,
}
