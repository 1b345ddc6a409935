// Reads the direction that stands beside a verb of the camera. Which verbs count is up to grammar.ts.

import type { Direction, Step, Verb } from './words.ts'
import * as vocabulary from './words.ts'

const { reversers, softIn, sources } = vocabulary

import { isFiller, unknownLetters, verbOf } from './words.ts'

export interface Way {
  step: Step
  /** In words from the verb. */
  distance: number
  /** "around" and "across" name no side; a side beside them says more. */
  vague: boolean
}

/** The direction beside a verb. Far from the verb it counts only where the camera is named (`loose`). */
export function findDirection(tokens: string[], i: number, verb: Verb, loose: boolean): Way | null {
  const after = directionAfter(tokens, i, verb, loose)
  return after && !after.vague ? after : (directionBefore(tokens, i, verb, loose) ?? after)
}

function directionAfter(tokens: string[], i: number, verb: Verb, loose: boolean): Way | null {
  let found: Way | null = null
  let source = false
  for (let j = i + 1; j < tokens.length && j <= i + 6; j++) {
    const token = tokens[j]!
    const direction = directionAt(tokens, j, verb)
    if (direction === null) {
      const between = [isFiller(token), ...[sources, reversers, softIn].map((words) => words.has(token))].some(Boolean)
      if (verbOf(token) || (!loose && !between)) break
      if (found && !found.vague && !isFiller(token)) break
      continue
    }
    const step = stepOf(tokens, j, direction, verb)
    // "Backwards through the corridor".
    if (token === 'through' && found?.step[0] === 'zoom') continue
    const vague = isVague(direction)
    if (found?.vague && found.step[0] === 'orbit' && (direction === 'left' || direction === 'right')) {
      // "Swings around to the left".
      return { step: ['orbit', direction === 'left' ? -1 : 1], distance: found.distance, vague: false }
    }
    if (!step || (found && (vague || found.step[0] !== step[0]))) continue
    source = tokens.slice(Math.max(i + 1, j - 2), j).some((word) => vocabulary.sources.has(word))
    found = { step, distance: j - i, vague }
  }
  return found && source ? { ...found, step: opposite(found.step) } : found
}

function directionBefore(tokens: string[], i: number, verb: Verb, loose: boolean): Way | null {
  for (let j = i - 1; j >= 0 && j >= i - 3; j--) {
    const direction = directionAt(tokens, j, verb)
    const step = direction && !vocabulary.softIn.has(tokens[j]!) ? stepOf(tokens, j, direction, verb) : null
    if (step) return { step, distance: i - j, vague: isVague(direction!) }
    if (!isFiller(tokens[j]!) && !(loose && tokens[j] === unknownLetters)) break
  }
  return null
}

function directionAt(tokens: string[], j: number, verb: Verb): Direction | null {
  const token = tokens[j]!
  const next = tokens[j + 1] ?? ''
  const direction = vocabulary.directions.get(token) ?? null
  if (direction === 'up' && next === 'close') return 'in'
  if (direction !== 'in') return direction
  const side = tokens
    .slice(j + 1, j + 4)
    .some((word) => /^(left|right|up|down)$/.test(vocabulary.directions.get(word) ?? ''))
  if (vocabulary.softIn.has(token) && side) return null
  // "zoom on her face" goes in; "a truck on the road" does not.
  if (/^(on|onto)$/.test(token) && verb.alone?.[0] !== 'zoom') return null
  // "moves in on him" goes in; "moves in the forest" goes nowhere.
  const goesIn =
    next === '' || isFiller(next) ? !/^(the|a|an)$/.test(next) : /^(on|to|toward|towards|close|closer)$/.test(next)
  if (verb.plain && token === 'in' && !goesIn) return null
  return 'in'
}

function isVague(direction: Direction): boolean {
  return direction === 'around' || direction === 'across'
}

function stepOf(tokens: string[], j: number, direction: Direction, verb: Verb): Step | null {
  const step = verb.takes[direction]
  if (!step || direction !== 'clockwise') return step ?? null
  const reversed = tokens.slice(Math.max(0, j - 2), j).some((word) => vocabulary.reversers.has(word))
  return reversed ? opposite(step) : step
}

function opposite([axis, sign]: Step): Step {
  return [axis, sign === 1 ? -1 : 1]
}
