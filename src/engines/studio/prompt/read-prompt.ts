// Reads a prompt: camera moves in their order, framing and effects. A pure function of text, so that the service can explain
// a prompt without rendering it.

import { type EffectWish, timeOf } from '../effects/effect.ts'
import { namedSize, partsOf, type ShotSize } from '../shots/shot-plan.ts'
import { readMoves } from './moves/grammar.ts'
import type { Moves } from './moves/moves.ts'
import { singleSpaced } from './plain-text.ts'
import { readEffects } from './read-effects.ts'
import { goesToFace } from './read-face.ts'
import { type Place, readPlace } from './read-place.ts'
import { spellOut } from './wording.ts'

export interface PromptReading {
  /** Moves that are played one after another. */
  phases: Moves[]
  /** The named size of the shot. */
  size: ShotSize | null
  /** Whether a single shot should end close to what it aims at. */
  close: boolean
  /** Where a push-in goes, if the prompt says so. */
  place: Place | null
  effects: EffectWish[]
}

const phasesMax = 4
/** A clip shows no more parts one after another; the rest of the prompt belongs to the last part. */
const partsMax = 12

export function readPrompt(text: string, negativePrompt: string): PromptReading {
  const prompt = spellOut(singleSpaced(text))
  const size = namedSize(prompt)
  const parts = firstParts(partsOf(prompt, 'markers'))
  const effects = readEffects(parts, negativePrompt)
  const { pace } = timeOf(effects)
  const phases = readPhases(prompt, parts, negativePrompt)
  return {
    phases: pace < 1 ? phases.map((moves) => ({ ...moves, speed: Math.max(0.5, moves.speed * pace) })) : phases,
    size,
    close: size === 'close' || size === 'detail' || goesToFace(prompt),
    place: phases.some(({ zoom }) => zoom > 0) ? readPlace(prompt) : null,
    effects,
  }
}

function firstParts(parts: string[]): string[] {
  if (parts.length <= partsMax) return parts
  return [...parts.slice(0, partsMax - 1), parts.slice(partsMax - 1).join(', ')]
}

/** "zooms in, then pans left": each part that names a move is played in its turn. */
function readPhases(prompt: string, parts: string[], negativePrompt: string): Moves[] {
  const whole = readMoves(prompt, negativePrompt)
  if (parts.length < 2) return [whole]
  const spoken = /camera|kamera|camara|macchina|镜头|鏡頭|カメラ/iu.exec(prompt)?.[0]
  const named = parts
    // A later part speaks of the camera that the first one named.
    .map((part, i) => readMoves(i > 0 && spoken && !part.includes(spoken) ? `${spoken} ${part}` : part, negativePrompt))
    .filter((moves) => moves.named && !moves.still)
  return named.length > 1 ? named.slice(0, phasesMax) : [whole]
}
