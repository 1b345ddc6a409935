// What an effect is: everything that the studio, its documentation and its benches know of it stands in its own file. The
// type checker names what a new one does not say.

import type { Place } from '../../../video/sound/ambience.ts'
import type { AirDrawing, EffectScene } from '../air/effect-scene.ts'
import type { Look, LookSetup } from '../film/film.ts'
import type { Phrases } from '../prompt/phrases.ts'

interface Identity {
  /** What `understood` calls it. */
  label: string
  words: Phrases
  /** A prompt that asks for it, and the sample that has a place for it: benches and contact sheets play it. */
  sample: { prompt: string; picture: 'coffee' | 'lake' | 'portrait' | 'rocket' }
  /** How it comes: what changes the whole frame comes slowly, because a fast rise would be conspicuous on a smooth picture. */
  rise: 'quick' | 'slow'
  /**
   * How it goes on in an extension: a moment of what is smooth can be held without being noticed, what is rough must go at
   * once, and what is the shot's own does not go on.
   */
  joins: 'smooth' | 'rough' | 'own'
  /** Whether it shows that a wind blows. */
  windborne: boolean
  /** Whether "light" in its words is light and not a small amount. */
  isLight: boolean
  /** What of the picture it looks at, or cannot do without. */
  sees: readonly ('sky' | 'bright' | 'sun' | 'water' | 'subject')[]
  /** What it sounds like, where no recording is given. */
  sound: Place | null
}

/** What an effect draws over a frame, one air after another; null where the picture has no place for it. */
type Draw = (scene: EffectScene) => AirDrawing | AirDrawing[] | null

/** In the air: drawn over the frame. */
export interface AirEffect extends Identity {
  kind: 'air'
  draw: Draw
}

/** A region of the picture that moves, where there is one. `draw` is what lies over it besides. */
export interface RegionEffect extends Identity {
  kind: 'region'
  draw: Draw | null
}

/** What film and tape do to a finished frame. */
export interface FilmEffect extends Identity {
  kind: 'film'
  open(setup: LookSetup): Look
}

/** What a lens leaves out of focus. */
export interface FocusEffect extends Identity {
  kind: 'focus'
}

export interface TimeEffect extends Identity {
  kind: 'time'
  /** How fast other effects run, and how fast the camera moves. */
  rate: number
  pace: number
  /** The share of the shot that moves; the rest stands still. */
  until: number
}

export type Effect = AirEffect | RegionEffect | FilmEffect | FocusEffect | TimeEffect
export type Kind = Effect['kind']
