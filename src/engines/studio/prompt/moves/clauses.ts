// Splits a prompt into the sentences and clauses that camera moves are read from.

import { plainText } from '../plain-text.ts'
import { type Rewrite, rewrite } from '../rewrite.ts'
import { conjunctions, fillers, intensifiers, verbOf } from './words.ts'

export interface Clause {
  tokens: string[]
  joined: 'start' | 'comma' | 'and' | 'or' | 'while' | 'but'
}

/** The clauses of each sentence. */
export function sentencesOf(text: string): Clause[][] {
  return rewrite(plainText(text), phrases)
    .split(/[!?;\n]+|\.(?!\d)/)
    .map((sentence) => withPaces(clausesOf(sentence)))
}

/** Phrases of the camera, and the one spelling that they are read in; and names that hold a word of the camera. */
const phrases: Rewrite[] = [
  [/\b(dolly parton|dolly the sheep|track and field|rock (and|n|'n'|&) roll|pots and pans)\b/g, 'something'],
  [/\b(slow[- ]?mo(tion)?|camara lenta|camera lenta|zeitlupe|au ralenti|rallentatore)\b/g, 'slowmotion'],
  [/\b(counter|anti)-?(?=clockwise|horaire|horario|orario)/g, '$1 '],
  [
    /\b(?:(?:rotat(?:es?|ing)|spin(?:s|ning)?|turn(?:s|ing)?|mov(?:es?|ing)|go(?:es|ing)?) )?360 ?(?:°|degrees?|deg|grad)?[- ]*(?:rotation|spin|turn|orbit|shot|(?=around|um |autour|alrededor|attorno))/g,
    'orbit shot ',
  ],
  [/\bhand[- ]held\b/g, 'handheld'],
  [/\b(instead of|rather than|an?statt|au lieu de|en (vez|lugar) de|invece di|em vez de)\b/g, 'no'],
  [/\bnot (?:too|so|very) (?:fast|quick|quickly|rapid)\b/g, 'slow'],
  [/\b(never|not|without) stop(s|ping)?\b/g, 'keeps'],
  // "Camera movement: none".
  [
    /\b(movement|motion|(kamera)?bewegung|mouvement|movimiento|movimento)s? ?: ?(none|no|keine|aucun|ningun[oa]?|nessuno|nenhum)\b/g,
    'no $1',
  ],
]

function clausesOf(sentence: string): Clause[] {
  const clauses: Clause[] = [{ tokens: [], joined: 'start' }]
  for (const token of sentence.match(/@?[\p{L}\p{N}]+|[,:()—–]|(?<=\p{L})\/(?=\p{L})/gu) ?? []) {
    const joint = token === '/' ? 'or' : /^[,:()—–]$/.test(token) ? 'comma' : conjunctions.get(token)
    const last = clauses.at(-1)!
    if (joint === undefined) last.tokens.push(token)
    else if (last.tokens.length > 0) clauses.push({ tokens: [], joined: joint })
    // "…, or …": the word says more than the comma.
    else if (joint !== 'comma') last.joined = joint
  }
  return clauses.filter((clause) => clause.tokens.length > 0)
}

const paceWord =
  /^(slow(ly|er)?|fast(er)?|quick(ly)?|rapid(ly)?|gent(le|ly)|subt(le|ly)|langsam|schnell|lentement|lentamente)$/

/**
 * "A slow, steady push-in" and "zoom in, very slow": a clause of pace alone becomes part of the move before it, else of the
 * next clause.
 */
function withPaces(clauses: Clause[]): Clause[] {
  const kept: Clause[] = []
  let waiting: Clause | null = null
  /** The last clause with a word that says something, if that clause names a move. */
  let move: Clause | null = null
  for (const clause of clauses) {
    const empty = clause.tokens.every((token) => fillers.has(token))
    if (waiting && empty) waiting.tokens.push(...clause.tokens)
    else if (!isPaceAlone(clause)) {
      const whole = waiting ? { tokens: [...waiting.tokens, ...clause.tokens], joined: waiting.joined } : clause
      kept.push(whole)
      waiting = null
      if (!empty) move = namesMove(whole) ? whole : null
    } else if (move) move.tokens.unshift(...clause.tokens)
    else waiting = clause
  }
  return kept
}

function isPaceAlone({ tokens }: Clause): boolean {
  return (
    tokens.some((token) => paceWord.test(token)) &&
    tokens.every((token) => paceWord.test(token) || fillers.has(token) || intensifiers.has(token))
  )
}

function namesMove({ tokens }: Clause): boolean {
  return tokens.some(verbOf)
}
