// Reads which place of the picture a push-in goes to: "zoom in on the top right corner", "push in on the man on the left"; and
// whether it goes to a face. What else a place shows is not recognised, so that "zoom in on the tower" names no place.

import type { Sentence } from '../sentences.ts'
import type { Reading } from './words.ts'

/** −1 is left or top, 1 right or bottom, 0 the middle; null where the text does not say. */
export interface Place {
  x: -1 | 0 | 1 | null
  y: -1 | 0 | 1 | null
}

/** "moves to the left side" is a pan, "moves in on the left side" a push. */
const push = `(?:(?:zoom|push|clos)(?:e|es|s|ed|ing)?|(?:doll(?:y|ies|ying)|mov(?:e|es|ing)|glid(?:e|es|ing)|drift(?:s|ing)?|track(?:s|ing)?|creep(?:s|ing)?|fl(?:y|ies|ying)|com(?:e|es|ing)|get(?:s|ting)?|go(?:es|ing)?)(?: \\w+ly)? (?:in|into|closer|nearer|forwards?))`
const otherMove = `(?:out|back|away|backwards?|from|while|then|and|as|(?:pan|tilt|orbit|roll|rotat|turn|reveal|mov|slid|truck)\\w*)`
const anyWords = `(?: (?!${otherMove}\\b)[\\w'-]+){0,10}?`
const goal = `(?:in|on|onto|into|to|towards?|at)(?: the| its)?(?: far| very| extreme)?`
const part = `(?:corner|side|part|edge|half|third|area|quadrant|region)`
const ofPicture = `of (?:the |this )?(?:picture|image|frame|photo|photograph|scene|screen|shot|painting)`
const ends = `(?= *$)`
/** Her left hand may be anywhere. */
const ofBody = `(?:eyes?|hands?|cheek|ear|shoulder|arm|leg|foot|knee|wing|thumb|fist|wrist|paw)`
const [y, x] = [`(?<y>top|upper|bottom|lower)`, `(?<x>left|right)`]

const pattern = new RegExp(
  `\\b${push}${anyWords} ${goal} (?:${[
    `${y}[- ]?(?:hand )?${x}\\b`,
    `${x} ${y}\\b`,
    `${y}(?: ${part}\\b| ${ofPicture}|${ends})`,
    `${x}(?:most)?(?:[- ]hand)?(?: ${part}\\b| ${ofPicture}|${ends}| (?!${ofBody}\\b)\\w+)`,
    `(?<middle>centre|center|middle)\\b`,
  ].join('|')})`,
  'u',
)

export function readPlace(sentences: Sentence[]): Place | null {
  for (const { clauses } of sentences) {
    for (const { words } of clauses) {
      const found = pattern.exec(words.map(({ word }) => word).join(' '))?.groups
      if (!found) continue
      if (found.middle) return { x: 0, y: 0 }
      return {
        x: found.x === undefined ? null : found.x === 'left' ? -1 : 1,
        y: found.y === undefined ? null : found.y === 'top' || found.y === 'upper' ? -1 : 1,
      }
    }
  }
  return null
}

const faces = /^(eyes?|faces?|lips)$/

/** Whether a clause that pushes in names a face. */
export function goesToFace({ clauses }: Sentence, readings: Reading[]): boolean {
  return clauses.some(
    ({ words, from, to }) =>
      words.some(({ word }) => faces.test(word)) &&
      readings.some(
        ({ axis, sign, negated, at = -1 }) => axis === 'zoom' && sign > 0 && !negated && at >= from && at < to,
      ),
  )
}

/** "top right", "left", "middle". */
export function placeName({ x, y }: Place): string {
  const names = [y === -1 ? 'top' : y === 1 ? 'bottom' : '', x === -1 ? 'left' : x === 1 ? 'right' : '']
  return names.filter(Boolean).join(' ') || 'middle'
}
