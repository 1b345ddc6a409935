// Owns reading whether a clause wants the camera unsteady or still. Moves along an axis are read by grammar.ts.

import { paceNear } from './pace.ts'
import type { Reading } from './words.ts'
import * as vocabulary from './words.ts'

const shakeNoun = /^handheld$/
const shakeWord = /^(unsteady|shak(e|es|y|ing|iness)|wobbl(e|es|y|ing)|jitter(s|y|ing)?|trembl\w+)$/
const shakePhrase = /\b(found footage|shaky ?cam)\b/

/** A clause that says nothing but that there is no motion, or that the camera stands. */
const nothingMoves =
  /^(no|zero|without( any)?) (movements?|motion)( (at all|whatsoever))?$|^nothing (moves|is moving)$|^((stays?|remains?|keep( it)?|hold|completely|perfectly|totally|absolutely) )+(still|static)$|^(please )?do not move( at all)?$|^keep (everything|all|it all)( \w+)? still\b|^still (shot|frame|image|picture|photo)$/

/** "Camera stays in place", "the camera stays", "hold the frame". */
const stays =
  /\bcamera (stays|remains|does not go anywhere)$|\b(camera|shot|frame|framing|view)( \w+){0,2} (stays?|remains?|holds?|keeps?)( \w+)? (in place|in position|position|where it is|the same|at the same \w+|unchanged|still)\b|^(keep|maintain) (the )?(camera|camera angle|shot|frame|framing|view) (in place|in position|the same|unchanged|still)\b|^hold (the )?(shot|frame|view)$/

export function readShake(tokens: string[], camera: boolean): Reading | null {
  const shot = camera || tokens.some((token) => vocabulary.shotWords.has(token) || token === 'cam')
  const device =
    /^(fan|console|device|game|mixer|vacuum|radio|phone|lantern|mirror|gaming|torch|blender|drill|sparkler)$/
  let at = tokens.findIndex((token, i) => shakeNoun.test(token) && !device.test(tokens[i + 1] ?? ''))
  // "Shaky" alone is for the camera; what "shakes" is something else.
  const alone = tokens.length === 1 && !tokens[0]!.endsWith('s')
  if (at < 0 && (shot || alone)) at = tokens.findIndex((token) => shakeWord.test(token))
  if (at < 0 && shakePhrase.test(tokens.join(' '))) at = 0
  if (at < 0) return null
  const negated = tokens.slice(0, at).some((token) => vocabulary.negators.has(token))
  return { axis: 'handheld', sign: 0, ...paceNear(tokens, at), speed: null, negated }
}

/** Stillness: "static shot", "camera holds still", and "no camera movement". In a list of unwanted things the sign says
 * which: 1 asks for stillness ("camera movement" is unwanted), 0 forbids it ("static" is). */
export function readStill(tokens: string[], camera: boolean, bare: boolean): Reading | null {
  const reading: Reading = { axis: 'still', sign: 0, amount: 1, speed: null, negated: false }
  const negated = tokens.some((token) => vocabulary.negators.has(token))
  const movement = tokens.some((token) => vocabulary.movementWords.has(token))
  if (bare) {
    if (movement && (camera || tokens.length === 1)) return { ...reading, sign: 1 }
  } else if (negated && movement && camera) return reading
  const joined = tokens.join(' ')
  if (nothingMoves.test(joined) || (stays.test(joined) && !negated)) return reading
  if (
    /\block(ed)? ?(off|down)\b|\bcamera (is |stays )?locked\b|\block(ed)? (the )?camera\b|\blocked shot\b/.test(joined)
  )
    return { ...reading, negated, locked: true }
  const at = tokens.findIndex((token) => vocabulary.stillWords.has(token))
  const shot = camera || tokens.some((token) => vocabulary.shotWords.has(token))
  if (
    at >= 0 &&
    (shot ||
      tokens.length <= 1 ||
      /^(close|wide|medium|macro)$/.test(tokens[at + 1] ?? '') ||
      /^tripod mounted\b/.test(joined) ||
      /^(on|with|the) (a |the )?\w+$/.test(joined))
  ) {
    return { ...reading, negated, locked: tokens[at] === 'tripod' }
  }
  const stillAt = tokens.indexOf('still')
  const held =
    stillAt >= 0 &&
    (vocabulary.stillLead.has(tokens[stillAt - 1] ?? '') ||
      tokens[stillAt + 1] === 'camera' ||
      joined.endsWith('camera still'))
  return held && camera ? { ...reading, negated } : null
}
