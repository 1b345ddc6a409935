// Owns the reading of camera moves in a prompt: which moves it names, how far and how fast, and which it forbids.
// It reads words only; how a move is played is up to path.ts. It never fails: what it cannot read, it skips.
//
// A word counts as a move only where the camera is what moves: beside "camera" or "shot", at the start of a clause
// ("pan left"), after a pace ("slow zoom"), or as a fixed pair ("zoom in"). So "a frying pan", "a roll of film",
// "a tilted hat", "satellites orbiting the earth" and "orbiting satellites" name no move; "the camera orbits a
// satellite" does. Where one prompt names both ways of one axis, the first counts. A named move beats "static".

import { type Clause, sentencesOf } from './clauses.ts'
import { readEastAsianMoves } from './grammar-cjk.ts'
import { paceNear } from './pace.ts'
import { plainText } from './plain-text.ts'
import { readSetPieces } from './set-pieces.ts'
import { readShake, readStill } from './steadiness.ts'
import type { Axis, Direction, Reading, Step, Verb } from './words.ts'
import * as vocabulary from './words.ts'

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
const usualAmount = 0.75

export function readMoves(prompt: string, negativePrompt: string): Moves {
  const readings = [...readLatin(prompt, false), ...readEastAsianMoves(prompt, false)]
  // What a negative prompt lists is unwanted, also where it says "no zoom" once more.
  const unwanted = [...readLatin(negativePrompt, true), ...readEastAsianMoves(negativePrompt, true)]
  const forbidden = [...readings.filter((reading) => reading.negated), ...unwanted]
  const frozen = unwanted.some((reading) => reading.axis === 'still' && reading.sign === 1)
  const isForbidden = (axis: Reading['axis'], sign: number) =>
    (frozen && axis !== 'still') ||
    forbidden.some((reading) => reading.axis === axis && (reading.sign === 0 || reading.sign === sign))

  const moves: Moves = {
    zoom: 0,
    pan: 0,
    tilt: 0,
    orbit: 0,
    roll: 0,
    handheld: 0,
    still: false,
    speed: 1,
    named: false,
  }
  const speeds: number[] = []
  for (const reading of readings) {
    if (reading.negated || isForbidden(reading.axis, reading.sign)) continue
    if (reading.speed !== null) speeds.push(reading.speed)
    if (reading.axis === 'still') {
      moves.still = true
      if (reading.locked) moves.locked = true
    } else if (moves[reading.axis] === 0) {
      const amount = Math.min(1, usualAmount * reading.amount)
      moves[reading.axis] = reading.axis === 'handheld' ? amount : reading.sign * amount
    }
  }
  if (speeds.length > 0) {
    const mean = Math.exp(speeds.reduce((sum, speed) => sum + Math.log(speed), 0) / speeds.length)
    moves.speed = Math.min(2, Math.max(0.5, mean))
  }
  applySetPieces(moves, prompt, isForbidden)
  const without = axes.filter((axis) => forbidden.some((reading) => reading.axis === axis))
  const moving = moves.handheld > 0 || (moves.dollyZoom ?? 0) !== 0 || axes.some((axis) => moves[axis] !== 0)
  if (moving) {
    moves.still = false
    delete moves.locked
  } else if (frozen || (without.includes('zoom') && without.includes('pan'))) {
    // A prompt that forbids the two usual moves and names none wants no other either.
    moves.still = true
  }
  moves.named = moving || moves.still
  if (without.length > 0) moves.without = without
  return moves
}

/** What a set piece is made of counts where the prompt does not say otherwise itself. */
function applySetPieces(moves: Moves, prompt: string, isForbidden: (axis: Axis, sign: number) => boolean): void {
  const piece = readSetPieces(plainText(prompt))
  if (!piece) return
  if (piece.dollyZoom && !isForbidden('zoom', 1)) {
    moves.dollyZoom = piece.dollyZoom
    moves.zoom = 0
  }
  for (const axis of axes) {
    const amount = piece[axis]
    // A pan shows parallax by itself, and goes its own way.
    if (axis === 'orbit' && moves.pan !== 0) continue
    if (amount && moves[axis] === 0 && !isForbidden(axis, Math.sign(amount))) moves[axis] = amount
  }
  if (piece.handheld && moves.handheld === 0) moves.handheld = piece.handheld
}

/** `bare` texts are lists of unwanted things: there a word alone is enough. */
function readLatin(text: string, bare: boolean): Reading[] {
  const readings: Reading[] = []
  for (const clauses of sentencesOf(text)) {
    let follows = false
    let refused = false
    for (const clause of clauses) {
      const found = readClause(clause, { bare, follows, refused })
      readings.push(...found.readings)
      follows ||= found.camera || found.readings.length > 0
      refused = found.readings.at(-1)?.negated ?? (refused && clause.joined !== 'but')
    }
  }
  return readings
}

interface Context {
  bare: boolean
  /** An earlier clause of the sentence spoke of the camera or named a move. */
  follows: boolean
  /** The clause before this one ended in a forbidden move. */
  refused: boolean
}

function readClause(clause: Clause, context: Context): { readings: Reading[]; camera: boolean } {
  const { tokens } = clause
  const cameraAt = tokens.findIndex((token, i) => vocabulary.cameraWords.has(token) && !isProp(tokens, i))
  const readings = tokens.flatMap((_, i) => readVerb(clause, i, cameraAt, context) ?? [])
  const shake = readShake(tokens, cameraAt >= 0 || context.bare)
  if (shake) readings.push(shake)
  const still = readStill(tokens, cameraAt >= 0, context.bare)
  if (still) readings.push(still)
  return { readings, camera: cameraAt >= 0 }
}

/** A camera in a person's hands, or one that a person looks into, is not the one that moves. */
function isProp(tokens: string[], i: number): boolean {
  const before = tokens.slice(Math.max(0, i - 2), i)
  return before.some((token) => vocabulary.propWords.has(token)) || vocabulary.goalWords.has(before[0] ?? '')
}

function readVerb(clause: Clause, i: number, cameraAt: number, context: Context): Reading | null {
  const { tokens } = clause
  const verb = verbOf(tokens[i]!)
  if (!verb || isThing(tokens, i)) return null
  const camera = cameraAt >= 0 || tokens[i]!.startsWith('kamera')
  const lead = tokens
    .slice(0, i)
    .every((token) => isFiller(token) || isAdjective(token) || vocabulary.negators.has(token))
  const shotNext = vocabulary.shotWords.has(tokens[i + 1] ?? '') || /^(angle|tilt)$/.test(tokens[i + 1] ?? '')
  const viewMoves = tokens.slice(Math.max(0, i - 2), i).some((token) => /^(view|shot|frame|perspective)$/.test(token))
  // "the camera slowly moves left", but not "the camera shows a car that moves left".
  const named =
    vocabulary.movementNoun.test(tokens[i]!) && (Math.abs(cameraAt - i) <= 2 || tokens[i]!.startsWith('kamera'))
  const cameraMoves = camera && cameraAt < i && tokens.slice(cameraAt + 1, i).every(isAdverb)
  const order = isOrder(clause, i)
  if (verb.plain && !(cameraMoves || (camera && named) || viewMoves || (lead && context.follows) || order)) return null

  const way = findDirection(tokens, i, verb, camera)
  const step = way?.step ?? verb.alone
  if (!step) return null
  const before = tokens[i - 1] ?? ''
  // "A slow roll" is the camera's; what "slowly rolls" may be a ball.
  const somethingElse = verb.shy && !lead && before.endsWith('ly')
  const paced = (vocabulary.paces.has(before) && !somethingElse) || (vocabulary.negators.has(before) && lead)
  const shot = tokens.some((token) => vocabulary.shotWords.has(token))
  const basic =
    (/^(zoom|dolly|pan)$/.test(tokens[i]!) && way?.distance === 1) ||
    /^((he)?ran|(he)?raus|hinaus|hinein|rein)(zu|ge)?zoom/.test(tokens[i]!)
  const leading = lead && (way !== null || !verb.shy || context.bare || tokens.length === 1)
  if (!(camera || order || leading || paced || shotNext || basic || (shot && way !== null) || context.bare)) return null
  if (way === null && verb.shy && !(camera || paced || shotNext || context.bare || tokens.length === 1)) return null

  const pace = paceNear(tokens, i)
  const negated = isNegated(clause, i, way !== null, context)
  const bothWays = (negated || context.bare) && way === null
  return { axis: step[0], sign: bothWays ? 0 : step[1], ...pace, negated }
}

/**
 * "Move left", "slide to the right": a sentence that begins with an order, and says nothing else, is for the camera. So is
 * one that goes on with a goal ("come closer to the flower"), and a turn anywhere ("zoom in with a slight rotation").
 */
function isOrder({ tokens, joined }: Clause, i: number): boolean {
  if (tokens.length > orderWordsMax) return false
  const turn = vocabulary.turns.test(tokens[i]!)
  // "A dancer, spinning slowly" says what the dancer does.
  if (joined !== 'start' && !(turn && !tokens[i]!.endsWith('ing'))) return false
  if (!turn && !vocabulary.orders.test(tokens[i]!)) return false
  const rest = tokens.slice(i + 1)
  const goal = rest.findIndex((token, j) => token === 'around' || (goals.has(token) && isWay(rest[j - 1])))
  const own = [...tokens.slice(0, i), ...(goal < 0 ? rest : rest.slice(0, goal))]
  return own.every(
    (token) => isFiller(token) || isWay(token) || vocabulary.cameraWords.has(token) || (turn && verbOf(token)),
  )
}

const orderWordsMax = 30

const goals = vocabulary.words('to into toward towards from at along through past over')

/** Directions that stand before a move: "lateral tracking shot", "counter-clockwise roll". */
function isAdjective(token: string): boolean {
  return /^(lateral|sideways|clockwise)$/.test(token) || vocabulary.reversers.has(token)
}

function isWay(token: string | undefined): boolean {
  return token !== undefined && (vocabulary.directions.has(token) || vocabulary.reversers.has(token))
}

function verbOf(token: string): Verb | undefined {
  return vocabulary.verbs.find((verb) => verb.word.test(token))
}

function isFiller(token: string): boolean {
  return vocabulary.fillers.has(token) || vocabulary.paces.has(token) || vocabulary.intensifiers.has(token)
}

function isAdverb(token: string): boolean {
  return (
    isFiller(token) ||
    vocabulary.auxiliaries.has(token) ||
    vocabulary.negators.has(token) ||
    /(ly|mente|ment)$/.test(token)
  )
}

/** Whether the word at `i` is plainly a thing: a pan on a stove, a zoom call, a roll of film. */
function isThing(tokens: string[], i: number): boolean {
  const [before, after] = [tokens[i - 1] ?? '', tokens[i + 1] ?? '']
  if (vocabulary.thingAfter.has(after)) return true
  if (tokens[i] === 'pan') {
    if (vocabulary.kitchenBefore.has(before) || vocabulary.kitchenAfter.has(after)) return true
    const leftBehind = after === 'left' && /^(on|in|over|out|behind)$/.test(tokens[i + 2] ?? '')
    return vocabulary.nounBefore.has(before) && (leftBehind || !/^(left|right|up|down|to|across|shot)/.test(after))
  }
  if (/^(roll|arc|circle|crane|orbit|truck|track|push)(e?s)?$/.test(tokens[i]!) && after === 'of') return true
  return tokens[i] === 'orbit' && /^(in|into|earth|low|high)$/.test(before)
}

interface Way {
  step: Step
  /** In words from the verb. */
  distance: number
  /** "around" and "across" name no side; a side beside them says more. */
  vague: boolean
}

/** The direction beside a verb. Far from the verb it counts only where the camera is named (`loose`). */
function findDirection(tokens: string[], i: number, verb: Verb, loose: boolean): Way | null {
  const after = directionAfter(tokens, i, verb, loose)
  return after && !after.vague ? after : (directionBefore(tokens, i, verb) ?? after)
}

function directionAfter(tokens: string[], i: number, verb: Verb, loose: boolean): Way | null {
  let found: Way | null = null
  let source = false
  for (let j = i + 1; j < tokens.length && j <= i + 6; j++) {
    const token = tokens[j]!
    const direction = directionAt(tokens, j, verb)
    if (direction === null) {
      const between = isFiller(token) || vocabulary.sources.has(token) || vocabulary.reversers.has(token)
      if (verbOf(token) || (!loose && !between)) break
      if (found && !found.vague && !isFiller(token)) break
      continue
    }
    const step = stepOf(tokens, j, direction, verb)
    const vague = direction === 'around' || direction === 'across'
    if (!step || (found && (vague || found.step[0] !== step[0]))) continue
    source = tokens.slice(Math.max(i + 1, j - 2), j).some((word) => vocabulary.sources.has(word))
    found = { step, distance: j - i, vague }
  }
  return found && source ? { ...found, step: opposite(found.step) } : found
}

function directionBefore(tokens: string[], i: number, verb: Verb): Way | null {
  for (let j = i - 1; j >= 0 && j >= i - 3; j--) {
    const direction = directionAt(tokens, j, verb)
    const step = direction && !vocabulary.softIn.has(tokens[j]!) ? stepOf(tokens, j, direction, verb) : null
    if (step) return { step, distance: i - j, vague: false }
    if (!isFiller(tokens[j]!)) break
  }
  return null
}

function directionAt(tokens: string[], j: number, verb: Verb): Direction | null {
  const token = tokens[j]!
  const next = tokens[j + 1] ?? ''
  if (token === 'zu' && j === tokens.length - 1) return 'in'
  if (token === 'um' && /^(das|die|den|ihn|sie|ihr|sein|seine)$/.test(next)) return 'around'
  const direction = vocabulary.directions.get(token) ?? null
  if (direction === 'up' && next === 'close') return 'in'
  if (direction !== 'in') return direction
  const side = tokens
    .slice(j + 1, j + 4)
    .some((word) => /^(left|right|up|down)$/.test(vocabulary.directions.get(word) ?? ''))
  if (vocabulary.softIn.has(token) && side) return null
  // "zoom on her face" goes in; "a truck on the road" does not.
  if (/^(on|onto|auf|em|sul|sulla)$/.test(token) && verb.alone?.[0] !== 'zoom') return null
  // "moves in on him" goes in; "moves in the forest" goes nowhere.
  const goesIn =
    next === '' || isFiller(next)
      ? !/^(the|a|an|der|die|das|den|dem)$/.test(next)
      : /^(on|to|toward|towards|close)$/.test(next)
  if (verb.plain && token === 'in' && !goesIn) return null
  return 'in'
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

function isNegated(clause: Clause, i: number, directed: boolean, context: Context): boolean {
  const { tokens } = clause
  if (tokens.slice(Math.max(0, i - 6), i).some((token) => vocabulary.negators.has(token))) return true
  if (tokens.slice(i + 1, i + 4).some((token) => vocabulary.laterNegators.has(token))) return true
  if (!context.refused) return false
  // "no zoom or pan left" forbids both; after "and" or a comma only a bare list goes on forbidding.
  if (clause.joined === 'or') return true
  // "No pan, slow zoom" says how it wants the zoom.
  const paced = tokens.some((token) => vocabulary.paces.has(token))
  return (clause.joined === 'and' || clause.joined === 'comma') && !directed && !paced && tokens.length <= 2
}
