// A home recording on tape.

import { vhs as vhsLook } from '../../film/tape.ts'
import type { FilmEffect } from '../declaration.ts'

export const vhs: FilmEffect = {
  kind: 'film',
  label: 'VHS',
  words: {
    latin: 'vhs( look| style| tape| effect)?|video ?tape( look)?|camcorder|videokassette|cassette video|cinta de video',
    any: '录像带|錄像帶|ビデオテープ|비디오테이프|кассет|شريط فيديو',
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
