// The moves of the camera that a prompt asks for, as the renderer takes them.

import type { Axis } from './words.ts'

export interface Moves {
  /** Pushes in above 0. All five axes run from −1 to 1. */
  zoom: number
  /** The camera goes right above 0. */
  pan: number
  /** The camera goes or looks up above 0. */
  tilt: number
  /** The camera circles to its right above 0. */
  orbit: number
  /** The camera turns clockwise above 0. */
  roll: number
  /** 0 to 1. */
  handheld: number
  still: boolean
  /** Still as on a tripod; else a still camera breathes. */
  locked?: boolean
  /** Above 0 the background grows behind a subject that keeps its size. */
  dollyZoom?: number
  /** 0.5 to 2. */
  speed: number
  /** Whether the prompt names a move or stillness at all. */
  named: boolean
  /** Moves that were forbidden, and so may not be chosen for a prompt that names none. */
  without?: Axis[]
}

export const axes: readonly Axis[] = ['zoom', 'pan', 'tilt', 'orbit', 'roll']
