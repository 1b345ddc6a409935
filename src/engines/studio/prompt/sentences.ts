// Cuts a part of a prompt into sentences, and those into clauses. Every sentence carries what was found in it: the words of
// the camera as English ones, and the phrases of the scene.

import type { Language } from './language.ts'
import { unknownLetters } from './moves/words.ts'
import { type Hit, isSign, vocabulary } from './phrases.ts'
import { type Meaning, sceneVocabulary } from './scene-vocabulary.ts'
import { type Token, tokensOf, type Written } from './text.ts'
import { moveWords } from './words/camera-words.ts'
import { light } from './words/light.ts'
import { wayWords } from './words/way-words.ts'

export type Joint = 'start' | 'comma' | 'and' | 'or' | 'while' | 'but'

/** A word of the camera's grammar, and the token that it stands for. */
export interface Word {
  word: string
  at: number
  /** All tokens that it stands for. */
  tokens: number[]
}

export interface Clause {
  words: Word[]
  joined: Joint
  /** Its tokens, from the first up to the one after the last. */
  from: number
  to: number
}

export interface Sentence {
  tokens: Token[]
  language: Language
  hits: Hit<Meaning>[]
  clauses: Clause[]
  /** Whether it belongs to a later phase. */
  later: boolean
}

export const cameraVocabulary = vocabulary(
  Object.entries({ ...moveWords, ...wayWords }).map(([english, phrases]) => [english.trim(), phrases]),
  light,
)

const sentenceEnds = new Set([...'.!?;。！？；\n', '؟', '؛'])
const commas = new Set([...',:，、：،()（）[]【】—–|{}・'])

const conjunctions = new Map<string, Joint>([
  ...['and', 'plus', '&'].map((word): [string, Joint] => [word, 'and']),
  ...['or', 'nor'].map((word): [string, Joint] => [word, 'or']),
  ...['while', 'whilst', 'as', 'when', 'then', 'before', 'after', 'until'].map((word): [string, Joint] => [
    word,
    'while',
  ]),
  ...['but', 'however', 'instead', 'just', 'only'].map((word): [string, Joint] => [word, 'but']),
])

export function sentencesOf(part: Written, languageFor: (tokens: Token[]) => Language, later: boolean): Sentence[] {
  const tokens = tokensOf(part)
  const sentences: Sentence[] = []
  let from = 0
  for (let i = 0; i <= tokens.length; i++) {
    if (i < tokens.length && !endsSentence(tokens, i)) continue
    if (i > from) sentences.push(sentenceOf(tokens.slice(from, i), languageFor, later))
    from = i + 1
  }
  return sentences
}

/** "1.8" is one number, and "e.g." no end. */
function endsSentence(tokens: Token[], i: number): boolean {
  const { word, end } = tokens[i]!
  if (!sentenceEnds.has(word)) return false
  const next = tokens[i + 1]
  return !(word === '.' && next && next.start === end && /^[\p{L}\p{N}]/u.test(next.word))
}

function sentenceOf(tokens: Token[], languageFor: (tokens: Token[]) => Language, later: boolean): Sentence {
  const language = languageFor(tokens)
  const hits = sceneVocabulary.find(tokens, language)
  const masked = new Map(
    hits.flatMap(({ meaning: { hides }, tokens: own }) => (hides ? own.map((i) => [i, hides] as const) : [])),
  )
  return { tokens, language, hits, later, clauses: clausesOf(tokens, wordsOf(tokens, language, masked)) }
}

/** The English words of the camera; what the scene has taken is read as one unknown word, and so is a run of letters. */
function wordsOf(tokens: Token[], language: Language, masked: Map<number, 'thing' | 'word'>): Word[] {
  const translated = new Map<number, { english: string; own: number[] }>()
  for (const { meaning, tokens: own } of cameraVocabulary.find(tokens, language)) {
    if (own.some((i) => masked.has(i))) continue
    for (const i of own) translated.set(i, { english: '', own })
    const named = cameraNames.test(own.map((i) => tokens[i]!.word).join('')) && !meaning.includes('camera')
    translated.set(own[0]!, { english: named ? `camera ${meaning}` : meaning, own })
  }
  const words: Word[] = []
  const isLight = cameraVocabulary.light(language)
  for (const [at, { word, begins }] of tokens.entries()) {
    const known = translated.get(at)
    const one = [at]
    if (known) {
      for (const own of known.english.split(' ')) if (own) words.push({ word: own, at, tokens: known.own })
    } else if (masked.has(at)) words.push({ word: masked.get(at) === 'thing' ? something : 'the', at, tokens: one })
    else if (language !== 'en' && isLight.has(word)) words.push({ word: 'the', at, tokens: one })
    else if (word.length > 1 || begins || isSign(word) || words.at(-1)?.word !== unknownLetters) {
      const letter = word.length === 1 && /\p{L}/u.test(word) && !/[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(word)
      if (!letter || words.at(-1)?.word !== unknownLetters)
        words.push({ word: letter ? unknownLetters : word, at, tokens: one })
    }
  }
  return words
}

/** Stands for what the scene has taken. */
const something = '#'
const cameraNames = /镜头|鏡頭|相机|相機|摄像机|无人机|無人機|カメラ|ドローン|空撮|카메라|드론|камер|дрон|كاميرا/u

function clausesOf(tokens: Token[], words: Word[]): Clause[] {
  const clauses: Clause[] = [{ words: [], joined: 'start', from: 0, to: 0 }]
  for (const [i, own] of words.entries()) {
    const { word, at } = own
    const joint = jointOf(words, i, tokens)
    const last = clauses.at(-1)!
    if (joint === null && !/[\p{L}\p{N}"…#]/u.test(word)) continue
    if (joint === null) {
      last.words.push(own)
      continue
    }
    const next = words[i + 1]?.at ?? tokens.length
    if (last.words.length > 0) {
      last.to = at
      clauses.push({ words: [], joined: joint, from: next, to: next })
    } else {
      last.from = next
      // "…, or …": the word says more than the comma.
      if (joint !== 'comma') last.joined = joint
    }
  }
  clauses.at(-1)!.to = tokens.length
  return clauses.filter((clause) => clause.words.length > 0)
}

function jointOf(words: Word[], i: number, tokens: Token[]): Joint | null {
  const { word, at } = words[i]!
  // What is said belongs to the one who says it.
  if (commas.has(word)) return words[i + 1]?.word === '"' ? null : 'comma'
  const [before, after] = [tokens[at - 1], tokens[at + 1]]
  if (word === '/' && /\p{L}$/u.test(before?.word ?? '') && /^\p{L}/u.test(after?.word ?? '')) return 'or'
  if (word === '-' && before && before.end < tokens[at]!.start) return 'comma'
  return conjunctions.get(word) ?? null
}
