// Owns the reading of camera moves in a prompt: which moves it names, how far and how fast, and which it forbids.
// It reads words only; how a move is played is up to path.ts. It never fails: what it cannot read, it skips.
//
// A word counts as a move only where the camera is what moves: beside "camera" or "shot", at the start of a clause
// ("pan left"), after a pace ("slow zoom"), or as a fixed pair ("zoom in"). So "a frying pan", "a roll of film",
// "a tilted hat", "satellites orbiting the earth" and "orbiting satellites" name no move; "the camera orbits a
// satellite" does. Where one prompt names both ways of one axis, the first counts. A named move beats "static".

import type { Clause, Sentence, Word } from '../sentences.ts'
import { findDirection } from './directions.ts'
import { axes, type Moves } from './moves.ts'
import { paceNear } from './pace.ts'
import { findPieces, type Piece } from './set-pieces.ts'
import { readShake, readStill } from './steadiness.ts'
import type { Axis, Reading, Step, Verb } from './words.ts'
import * as vocabulary from './words.ts'
import { isFiller, unknownLetters, verbOf } from './words.ts'

const usualAmount = 0.75

/** What is unwanted, from the negative prompt, is a list: there a word alone is enough. */
export function movesOf(sentences: Sentence[], unwantedOnes: Sentence[]): Moves {
  const readings = readSentences(sentences, false)
  const unwanted = readSentences(unwantedOnes, true)
  const forbidden = [...readings.filter((reading) => reading.negated), ...unwanted]
  const frozen = unwanted.some((reading) => reading.axis === 'still' && reading.sign === 1)
  const forbiddenSteps = new Set(forbidden.map(({ axis, sign }) => `${axis} ${sign}`))
  const isForbidden = (axis: Reading['axis'], sign: number) =>
    (frozen && axis !== 'still') || forbiddenSteps.has(`${axis} 0`) || forbiddenSteps.has(`${axis} ${sign}`)

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
  const wanted = readings.filter(({ negated, axis, sign }) => !negated && !isForbidden(axis, sign))
  const directed = new Set(wanted.filter(({ assumed }) => !assumed).map(({ axis }) => axis))
  for (const reading of wanted) {
    if (reading.speed !== null) speeds.push(reading.speed)
    if (reading.axis === 'still') {
      moves.still = true
      if (reading.locked) moves.locked = true
    } else if (moves[reading.axis] === 0 && !(reading.assumed && directed.has(reading.axis))) {
      const amount = Math.min(1, usualAmount * reading.amount)
      moves[reading.axis] = reading.axis === 'handheld' ? amount : reading.sign * amount
    }
  }
  const pieces = findPieces(sentences).filter(({ view }) => !(moves.still && view))
  if (speeds.length === 0) speeds.push(...pieces.flatMap(({ speed }) => speed ?? []))
  if (speeds.length > 0) {
    const mean = Math.exp(speeds.reduce((sum, speed) => sum + Math.log(speed), 0) / speeds.length)
    moves.speed = Math.min(2, Math.max(0.5, mean))
  }
  for (const piece of pieces) addPiece(moves, piece, isForbidden)
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
function addPiece(moves: Moves, piece: Piece, isForbidden: (axis: Axis, sign: number) => boolean): void {
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

/** `bare` sentences are lists of unwanted things. */
function readSentences(sentences: Sentence[], bare: boolean): Reading[] {
  return sentences.flatMap((sentence) => readSentence(sentence, bare))
}

/** What a sentence says of the camera. */
export function readSentence(sentence: Sentence, bare: boolean): Reading[] {
  const readings: Reading[] = []
  let follows = false
  let refused = false
  for (const clause of withPaces(sentence.clauses)) {
    const found = readClause(clause, { bare, follows, refused })
    readings.push(...found.readings)
    follows ||= found.camera || found.readings.length > 0
    refused = found.readings.at(-1)?.negated ?? (refused && clause.joined !== 'but')
    // "The camera should not move or zoom".
    refused ||=
      found.readings.at(-1)?.axis === 'still' && clause.words.some(({ word }) => vocabulary.negators.has(word))
  }
  return readings
}

/**
 * "A slow, steady push-in" and "zoom in, very slow": a clause of pace alone becomes part of the move before it, else of the
 * next clause.
 */
function withPaces(clauses: Clause[]): Clause[] {
  const kept: Clause[] = []
  let waiting: Clause | null = null
  /** The last clause with a word that says something, if that clause names a move. */
  let move: Clause | null = null
  for (const clause of clauses.map((own) => ({ ...own, words: [...own.words] }))) {
    const empty = clause.words.every(({ word }) => vocabulary.fillers.has(word))
    if (waiting && empty) waiting.words.push(...clause.words)
    else if (!isPaceAlone(clause)) {
      const whole: Clause = waiting
        ? { ...clause, words: [...waiting.words, ...clause.words], joined: waiting.joined }
        : clause
      kept.push(whole)
      waiting = null
      if (!empty) move = whole.words.some(({ word }) => verbOf(word)) ? whole : null
    } else if (move) move.words.unshift(...clause.words)
    else waiting = clause
  }
  return kept
}

const paceWord = /^(slow(ly|er)?|fast(er)?|quick(ly)?|rapid(ly)?|gent(le|ly)|subt(le|ly))$/

function isPaceAlone({ words }: { words: Word[] }): boolean {
  return (
    words.some(({ word }) => paceWord.test(word)) && words.every(({ word }) => paceWord.test(word) || isFiller(word))
  )
}

interface Context {
  bare: boolean
  /** An earlier clause of the sentence spoke of the camera or named a move. */
  follows: boolean
  /** The clause before this one ended in a forbidden move. */
  refused: boolean
}

function readClause({ words, joined }: Clause, context: Context): { readings: Reading[]; camera: boolean } {
  const tokens = words.map(({ word }) => word)
  const clause = { tokens, joined }
  const cameraAt = tokens.findIndex((token, i) => vocabulary.cameraWords.has(token) && !isProp(tokens, i))
  const outline = {
    cameraAt,
    leadEnd: endOfRun(
      tokens,
      0,
      (token) => isFiller(token) || isAdjective(token) || isSide(token) || vocabulary.negators.has(token),
    ),
    // The languages without spaces say where to before they say how: "the camera to the left moves".
    cameraAdverbsEnd: endOfRun(
      tokens,
      cameraAt + 1,
      (token) => isAdverb(token) || isWay(token) || token === unknownLetters,
    ),
    shot: tokens.some((token) => vocabulary.shotWords.has(token)),
  }
  const readings = tokens.flatMap((_, i) => {
    const reading = readVerb(clause, i, outline, context)
    return reading ? { ...reading, at: words[i]!.at } : []
  })
  const shake = readShake(tokens, cameraAt >= 0 || context.bare)
  if (shake) readings.push({ ...shake, at: words[0]!.at })
  const still = readStill(tokens, cameraAt >= 0, context.bare)
  if (still) readings.push({ ...still, at: words[0]!.at })
  return { readings, camera: cameraAt >= 0 }
}

interface Tokens {
  tokens: string[]
  joined: Clause['joined']
}

/** What the verbs of a clause have in common. It is worked out once, so that a clause is read in linear time. */
interface Outline {
  /** Where the camera is named; −1 where it is not. */
  cameraAt: number
  /** Up to here, the clause has said nothing but how to move. */
  leadEnd: number
  /** Up to here, only adverbs have followed the camera. */
  cameraAdverbsEnd: number
  shot: boolean
}

function endOfRun(tokens: string[], start: number, belongs: (token: string) => boolean): number {
  let end = start
  while (end < tokens.length && belongs(tokens[end]!)) end++
  return end
}

/** A camera in a person's hands, or one that a person looks into, is not the one that moves. */
function isProp(tokens: string[], i: number): boolean {
  const before = tokens.slice(Math.max(0, i - 2), i)
  return before.some((token) => vocabulary.propWords.has(token)) || vocabulary.goalWords.has(before[0] ?? '')
}

function readVerb(clause: Tokens, i: number, outline: Outline, context: Context): Reading | null {
  const { tokens } = clause
  const { cameraAt, shot } = outline
  const verb = verbOf(tokens[i]!)
  if (!verb || isThing(tokens, i)) return null
  const camera = cameraAt >= 0
  const lead = i <= outline.leadEnd
  const next = tokens[i + 1] ?? ''
  // "Pan to the window" does not say on which side the window is.
  const panTo = tokens[i] === 'pan' && next === 'to'
  const shotNext = vocabulary.shotWords.has(next) || /^(angle|tilt)$/.test(next) || panTo
  const viewMoves = tokens
    .slice(Math.max(0, i - 2), i)
    .some((token) => /^(view|shot|frame|footage|perspective)$/.test(token))
  // "Low-angle shot looking up" says where the camera stands.
  if (tokens[i] === 'looking' && viewMoves && cameraAt < 0) return null
  // "A crane shot descending".
  const viewGoes = viewMoves && Object.keys(verb.takes).length === 0
  // "the camera slowly moves left", but not "the camera shows a car that moves left".
  const named = vocabulary.movementNoun.test(tokens[i]!) && Math.abs(cameraAt - i) <= 2
  const cameraMoves = camera && cameraAt < i && i <= outline.cameraAdverbsEnd
  const order = isOrder(clause, i)
  if (verb.plain && !(cameraMoves || (camera && named) || viewMoves || (lead && context.follows) || order)) return null

  const way = findDirection(tokens, i, verb, camera)
  const step = way?.step ?? verb.alone
  if (!step) return null
  const before = tokens[i - 1] ?? ''
  // "A slow roll" is the camera's; what "slowly rolls" may be a ball.
  const somethingElse = verb.shy && !lead && before.endsWith('ly')
  const paced = (vocabulary.paces.has(before) && !somethingElse) || (vocabulary.negators.has(before) && lead)
  const basic = /^(zoom|dolly|pan)$/.test(tokens[i]!) && way?.distance === 1
  // "Pan" alone is an order; in "cars, trucks, bicycles" a thing stands alone.
  const alone = tokens.length === 1 && (context.follows || !thingAlone.test(tokens[i]!))
  const leading = lead && (way !== null || !verb.shy || context.bare || alone)
  if (!(camera || order || leading || paced || shotNext || basic || (shot && way !== null) || viewGoes || context.bare))
    return null
  if (way === null && verb.shy && !(camera || paced || shotNext || context.bare || alone)) return null

  const pace = paceNear(tokens, i)
  const negated = isNegated(clause, i, way !== null, context)
  const bothWays = (negated || context.bare) && way === null
  const assumed = (way === null || way.vague) && isOneOfTwo(verb, step)
  return { axis: step[0], sign: bothWays ? 0 : step[1], ...pace, negated, ...(assumed && { assumed }) }
}

const thingAlone = /^(truck|track|crane|circle|roll)$|s$/

/** Whether a verb also takes the opposite step: a pan may go either way, a push only in. */
function isOneOfTwo({ takes }: Verb, [axis, sign]: Step): boolean {
  return Object.values(takes).some((other) => other[0] === axis && other[1] !== sign)
}

/**
 * "Move left", "slide to the right": a sentence that begins with an order, and says nothing else, is for the camera. So is
 * one that goes on with a goal ("come closer to the flower"), and a turn anywhere ("zoom in with a slight rotation").
 */
function isOrder({ tokens, joined }: Tokens, i: number): boolean {
  if (tokens.length > orderWordsMax) return false
  const turn = vocabulary.turns.test(tokens[i]!)
  // "A dancer, spinning slowly" says what the dancer does.
  if (joined !== 'start' && (tokens[i]!.endsWith('ing') || !(turn || joined === 'comma'))) return false
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

/** "Up tilt": in some languages the side stands first. */
function isSide(token: string): boolean {
  return /^(left|right|up|down)$/.test(vocabulary.directions.get(token) ?? '')
}

function isAdverb(token: string): boolean {
  return isFiller(token) || vocabulary.auxiliaries.has(token) || vocabulary.negators.has(token) || token.endsWith('ly')
}

/** Whether the word at `i` is plainly a thing: a pan on a stove, a zoom call, a roll of film. */
function isThing(tokens: string[], i: number): boolean {
  const [before, after] = [tokens[i - 1] ?? '', tokens[i + 1] ?? '']
  if (vocabulary.thingAfter.has(after) || (tokens[i] === 'close' && after === 'up')) return true
  if (tokens[i] === 'pan') {
    if (vocabulary.kitchenBefore.has(before) || vocabulary.kitchenAfter.has(after)) return true
    const leftBehind = after === 'left' && /^(on|in|over|out|behind)$/.test(tokens[i + 2] ?? '')
    return vocabulary.nounBefore.has(before) && (leftBehind || !/^(left|right|up|down|to|from|across|shot)/.test(after))
  }
  if (/^(roll|arc|circle|crane|orbit|truck|track|push)(e?s)?$/.test(tokens[i]!) && after === 'of') return true
  return tokens[i] === 'orbit' && /^(in|into|earth|low|high)$/.test(before)
}

function isNegated(clause: Tokens, i: number, directed: boolean, context: Context): boolean {
  const { tokens } = clause
  if (tokens.slice(Math.max(0, i - 6), i).some((token) => vocabulary.negators.has(token))) return true
  if (tokens.slice(i + 1, i + 4).some((token) => vocabulary.laterNegators.has(token))) return true
  if (!context.refused) return false
  // "no zoom or pan left" forbids both; after "and" or a comma only a bare list goes on forbidding.
  if (clause.joined === 'or') return true
  if (directed || tokens.length > 2 || (clause.joined !== 'and' && clause.joined !== 'comma')) return false
  // "No pan, slow zoom" says how it wants the zoom.
  return !tokens.some((token) => vocabulary.paces.has(token))
}
