// What film looks are given: the bytes of a frame, and the moment.

import type { Size } from '../../../video/picture/output-size.ts'

/** The planes of a frame as bytes. */
export interface Film extends Size {
  y: Uint8Array
  u: Uint8Array
  v: Uint8Array
  stride: number
  chromaStride: number
}

export interface FilmMoment {
  second: number
  /** 0 to 1 as the look comes up. */
  level: number
  strength: number
  /** Seconds until the clip ends. */
  left: number
}

export type Look = (film: Film, moment: FilmMoment) => void

export interface LookSetup {
  frame: Size
  seed: number
  /** How long it plays, with what it has played in the video before. */
  seconds: number
}
