// Reads which place of the picture a push-in goes to: "zoom in on the top right corner", "push in on the man on the left".
// English only. What a place shows is not recognised, so that things alone ("zoom in on the tower") name no place. Pure.

import { plainText } from './plain-text.ts'

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
const ends = `(?= *(?:[,.;:!?()]|$)| (?:and|while|then|as|with|slowly|gently|before)\\b)`
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

export function readPlace(prompt: string): Place | null {
  const found = pattern.exec(plainText(prompt))?.groups
  if (!found) return null
  if (found.middle) return { x: 0, y: 0 }
  return {
    x: found.x === undefined ? null : found.x === 'left' ? -1 : 1,
    y: found.y === undefined ? null : found.y === 'top' || found.y === 'upper' ? -1 : 1,
  }
}

/** "top right", "left", "middle". */
export function placeName({ x, y }: Place): string {
  const names = [y === -1 ? 'top' : y === 1 ? 'bottom' : '', x === -1 ? 'left' : x === 1 ? 'right' : '']
  return names.filter(Boolean).join(' ') || 'middle'
}
