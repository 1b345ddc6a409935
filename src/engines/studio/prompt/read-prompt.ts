// Reads a prompt: camera moves in their order, framing and effects. A pure function of text, so that the service can explain
// a prompt without rendering it.

import type { Moves } from '../camera/grammar.ts'
import { readMoves } from '../camera/grammar.ts'
import { namedSize, type ShotSize } from '../shots/shot-plan.ts'

export interface PromptReading {
  /** Moves that are played one after another. */
  phases: Moves[]
  /** The named size of the shot. */
  size: ShotSize | null
  /** Whether a single shot should end close to what it aims at. */
  close: boolean
}

export function readPrompt(prompt: string, negativePrompt: string): PromptReading {
  const size = namedSize(prompt)
  return { phases: [readMoves(prompt, negativePrompt)], size, close: size === 'close' || size === 'detail' }
}
