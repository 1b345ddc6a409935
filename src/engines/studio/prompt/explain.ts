// Says in plain English what was read from a prompt, and what cannot be drawn. Pure.

import type { Understood } from '../../../contract/tasks/records.ts'
import type { EffectName } from '../effects/effect.ts'
import type { Moves } from './moves/moves.ts'
import { readNotDone } from './read-effects.ts'
import { placeName } from './read-place.ts'
import { readPrompt } from './read-prompt.ts'

const effectLabels: Record<EffectName, string> = {
  rain: 'rain',
  snow: 'snow',
  fog: 'fog',
  steam: 'steam',
  smoke: 'smoke',
  embers: 'embers',
  bokeh: 'bokeh',
  bubbles: 'bubbles',
  ash: 'falling ash',
  dust: 'dust',
  leaves: 'falling leaves',
  petals: 'falling petals',
  confetti: 'confetti',
  sunrays: 'sunrays',
  flare: 'lens flare',
  fireflies: 'fireflies',
  lightning: 'lightning',
  stars: 'twinkling stars',
  flicker: 'flickering light',
  dusk: 'day turning to dusk',
  sunrise: 'sunrise',
  warm: 'warm light',
  cold: 'cold light',
  clouds: 'drifting clouds',
  foliage: 'swaying foliage',
  water: 'moving water',
  shallowFocus: 'shallow depth of field',
  rackFocus: 'rack focus',
  slowMotion: 'slow motion',
  freeze: 'freeze',
  blackAndWhite: 'black and white',
  vintage: 'vintage film',
  grain: 'film grain',
  vhs: 'VHS',
  glitch: 'glitch',
  vignette: 'vignette',
  letterbox: 'letterbox',
  fadeIn: 'fade in',
  fadeOut: 'fade out',
}

const framings = { wide: 'wide', medium: 'medium', close: 'close-up', detail: 'detail' }

/** `missed` are effects that the picture has no place for. */
export function explainPrompt(prompt: string, negativePrompt: string, missed: string[] = []): Understood {
  const { phases, size, place, effects } = readPrompt(prompt, negativePrompt)
  const drawn = effects.filter(({ name }) => !missed.includes(name))
  const absent = effects.filter(({ name, implied }) => missed.includes(name) && !implied)
  const aimed = place && phases.find(({ zoom }) => zoom > 0)
  return {
    moves: phases.flatMap((moves) => describeMoves(moves, moves === aimed ? ` to the ${placeName(place!)}` : '')),
    // Without its strength: clients look for `rain`, however heavy it is.
    effects: drawn.map(({ name }) => effectLabels[name]),
    framing: size && framings[size],
    notDone: [
      ...absent.map(({ name }) => `${effectLabels[name]} (no place found in the picture)`),
      ...readNotDone(prompt, drawn),
    ],
  }
}

/** `goal` is where a push-in goes. */
function describeMoves(moves: Moves, goal: string): string[] {
  const pace = moves.speed < 0.8 ? 'slow ' : moves.speed > 1.25 ? 'fast ' : ''
  const parts: [number, string, string][] = [
    [moves.zoom, `push in${goal}`, 'pull out'],
    [moves.dollyZoom ?? 0, 'dolly zoom', 'dolly zoom'],
    [moves.pan, 'pan right', 'pan left'],
    [moves.tilt, 'tilt up', 'tilt down'],
    [moves.orbit, 'orbit right', 'orbit left'],
    [moves.roll, 'roll clockwise', 'roll counter-clockwise'],
    [moves.handheld, 'handheld', 'handheld'],
  ]
  const named = parts.flatMap(([amount, above, below]) =>
    amount === 0 ? [] : [`${pace}${amount > 0 ? above : below}`],
  )
  if (moves.locked) return ['locked off']
  return moves.still ? ['static'] : named
}
