// Says in plain English what was read from a prompt, and what cannot be drawn. Pure.

import type { Understood } from '../../../contract/tasks/records.ts'
import { effects as known } from '../effects/all.ts'
import type { Moves } from './moves/moves.ts'
import { placeName } from './moves/place.ts'
import { readPrompt } from './read-prompt.ts'

const framings = { wide: 'wide', medium: 'medium', close: 'close-up', detail: 'detail' }

/** `missed` are effects that the picture has no place for. */
export function explainPrompt(prompt: string, negativePrompt: string, missed: string[] = []): Understood {
  const { phases, sizes, place, effects, notDone } = readPrompt(prompt, negativePrompt)
  const drawn = effects.filter(({ name }) => !missed.includes(name))
  const absent = effects.filter(({ name, implied }) => missed.includes(name) && !implied)
  const aimed = place && phases.find(({ zoom }) => zoom > 0)
  return {
    moves: phases.flatMap((moves) => describeMoves(moves, moves === aimed ? ` to the ${placeName(place!)}` : '')),
    // Without its strength: clients look for `rain`, however heavy it is.
    effects: drawn.map(({ name }) => known[name].label),
    framing: sizes.map((size) => framings[size]).join(', ') || null,
    notDone: [
      ...absent.map(({ name }) => `${known[name].label} (no place found in the picture)`),
      ...effects.flatMap(({ name, implied }) => (implied && missed.includes(name) ? ['wind'] : [])),
      ...notDone,
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
