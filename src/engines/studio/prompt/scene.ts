// The grammar of the scene: which effects a sentence asks for and how strongly, how it is framed, and what in it is not done.
// Every clause is accounted for: what asks for a motion, a change or a thing that is not drawn is quoted, and what only
// describes the picture is left alone.

import { type EffectName, effects } from '../effects/all.ts'
import { isAct, unknownActs } from './acts.ts'
import { type FocusShift, readFocus } from './focus.ts'
import { readSentence } from './moves/grammar.ts'
import { goesToFace } from './moves/place.ts'
import { pieceHits } from './moves/set-pieces.ts'
import { cameraWords, directions, goalWords, paces, shotWords } from './moves/words.ts'
import { type Hit, isSign } from './phrases.ts'
import type { Meaning } from './scene-vocabulary.ts'
import type { Sentence } from './sentences.ts'
import { prepositionsOf } from './words/light.ts'
import type { ShotSize } from './words/scene-words.ts'

/** An effect, or the wind, that a sentence names. */
export interface Mention {
  name: EffectName | 'wind'
  /** The prompt says that it is not there, or ends. */
  forbidden: boolean
  amount: number
  electric: boolean
  quote: Quote
}

/** Words of the prompt, from one place in it to another. */
export interface Quote {
  start: number
  end: number
}

export interface SceneReading {
  mentions: Mention[]
  sizes: ShotSize[]
  notDone: Quote[]
  focus: FocusShift | null
  /** Whether a push-in goes to a face. */
  toFace: boolean
}

/** Clauses that are read as one: "a man and a woman" say something only together. */
interface Group {
  from: number
  to: number
  hits: Hit<Meaning>[]
}

export function readScene(sentence: Sentence): SceneReading {
  const readings = readSentence(sentence, false)
  const pieces = pieceHits(sentence)
  const read = new Set([...readings.flatMap(({ at }) => at ?? []), ...pieces.flatMap((hit) => hit.tokens)])
  const camera = cameraTokens(sentence, read)
  const found: SceneReading = {
    mentions: [],
    sizes: [],
    notDone: [],
    focus: null,
    toFace: goesToFace(sentence, readings),
  }
  const groups = groupsOf(sentence, read)
  const sounds = speaksOfSound(sentence)
  const marks = marksOf(sentence)
  for (const [i, group] of groups.entries()) {
    const has = (...kinds: Meaning['kind'][]) => group.hits.some(({ meaning }) => kinds.includes(meaning.kind))
    if (sounds) {
      if (i > 0 && !has('sound', 'effect', 'wind')) found.notDone.push(quoteOf(sentence, group))
      continue
    }
    found.mentions.push(...mentionsOf(sentence, marks, group))
    found.sizes.push(...group.hits.flatMap(({ meaning }) => (meaning.kind === 'framing' ? meaning.size : [])))
    const undone = notDoneIn(sentence, marks, group, camera)
    if (undone) found.notDone.push(undone)
    if (has('effect') && group.hits.some(({ meaning }) => meaning.kind === 'effect' && meaning.name === 'rackFocus')) {
      found.focus ??= readFocus(sentence)
    }
  }
  return found
}

/** "Audio: footsteps": the clauses after the label are about sound. */
function speaksOfSound({ tokens, hits }: Sentence): boolean {
  return hits.some(
    ({ meaning, from, to }) => meaning.kind === 'soundLabel' && from === 0 && /^[:：]$/.test(tokens[to]?.word ?? ''),
  )
}

/** Tokens that speak of the camera, in clauses that do. */
function cameraTokens({ tokens, clauses }: Sentence, read: Set<number>): Set<number> {
  const about = new Set<number>(read)
  for (const { words, from, to } of clauses) {
    const speaks = hasAny(read, from, to)
    for (const [i, { word, tokens: own }] of words.entries()) {
      const before = words[words[i - 1]?.word === 'the' ? i - 2 : i - 1]?.word ?? ''
      // "She turns to the camera" is about her.
      const named = cameraWords.has(word) && !goalWords.has(before)
      const moves = speaks && (own.length > 1 || directions.has(word) || paces.has(word))
      if (named || moves || shotWords.has(word)) for (const token of own) about.add(token)
    }
  }
  return new Set([...about].filter((i) => tokens[i]))
}

function hasAny(tokens: Set<number>, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (tokens.has(i)) return true
  return false
}

const telling = new Set<Meaning['kind']>(['effect', 'act', 'framing', 'wish', 'sound', 'wind'])

function groupsOf(sentence: Sentence, read: Set<number>): Group[] {
  const groups: (Group & { tells: boolean })[] = []
  let next = 0
  /** Whether the clause before said what someone does. */
  let acts = sentence.later
  const known = new Set([...read, ...sentence.hits.flatMap((hit) => hit.tokens)])
  for (const { from, to, joined } of sentence.clauses) {
    const hits: Hit<Meaning>[] = []
    const place = { from, to, goesOn: acts && joined !== 'while', joined: joined === 'and' && !acts }
    while (next < sentence.hits.length && sentence.hits[next]!.from < to) {
      const hit = sentence.hits[next++]!
      if (hit.meaning.kind !== 'act' || isAct(sentence, hit, place)) hits.push(hit)
    }
    hits.push(...unknownActs(sentence, place, known))
    acts = hits.some(({ meaning }) => meaning.kind === 'act')
    const tells = hits.some(({ meaning }) => telling.has(meaning.kind)) || hasAny(read, from, to)
    const last = groups.at(-1)
    if (last && (joined === 'and' || joined === 'or') && !(last.tells && tells)) {
      last.to = to
      last.hits.push(...hits)
      last.tells ||= tells
    } else groups.push({ from, to, hits, tells })
  }
  return groups
}

function mentionsOf(sentence: Sentence, marks: Marks, { from, to, hits }: Group): Mention[] {
  const electric = hits.some(({ meaning }) => meaning.kind === 'electric') || electricNear(sentence, from, to)
  return hits.flatMap((hit): Mention[] => {
    const { meaning } = hit
    if (meaning.kind !== 'effect' && meaning.kind !== 'wind') return []
    const name = meaning.kind === 'effect' ? meaning.name : 'wind'
    return [
      {
        name,
        forbidden: isForbidden(sentence, marks, hit) || isEnding(sentence, marks, hit),
        amount: amountOf(sentence, marks, hit),
        electric: name === 'flicker' && electric,
        quote: quoteOf(sentence, { from, to }),
      },
    ]
  })
}

/** What flickers is often part of the effect's own words: "neon lights flicker". */
function electricNear({ tokens }: Sentence, from: number, to: number): boolean {
  return tokens
    .slice(from, to)
    .some(({ word }) => /^(neon\w*|fluorescent|lamps?|bulbs?|strobe|screen|tv|неон\w*|霓|灯|ネ|蛍|네|형)$/u.test(word))
}

/** Where the small words of a sentence stand that say more of an effect or an act beside them. */
interface Marks {
  without: Set<number>
  ends: Set<number>
  adverbs: Map<number, number>
}

const amounts = { strong: 1.4, gentle: 0.6 }

function marksOf({ hits, tokens, language }: Sentence): Marks {
  const of = (kind: Meaning['kind']) => hits.filter(({ meaning }) => meaning.kind === kind).flatMap((hit) => hit.tokens)
  return {
    // "No" is "in the" in Portuguese.
    without: new Set(of('without').filter((i) => !(language === 'pt' && tokens[i]!.word === 'no'))),
    ends: new Set(of('end')),
    adverbs: new Map(
      (['strong', 'gentle'] as const).flatMap((kind) => of(kind).map((i) => [i, amounts[kind]] as const)),
    ),
  }
}

const forbidReach = 3

function isForbidden({ tokens }: Sentence, { without }: Marks, { from }: Hit<Meaning>): boolean {
  for (let i = from - 1; i >= from - forbidReach && i >= 0 && !isSign(tokens[i]!.word); i--)
    if (without.has(i)) return true
  return false
}

function isEnding({ tokens, language }: Sentence, { ends }: Marks, { to }: Hit<Meaning>): boolean {
  for (let i = to; i < Math.min(tokens.length, to + forbidReach + 1); i++) {
    const { word } = tokens[i]!
    if (ends.has(i)) return true
    if (isSign(word) || (word !== 'to' && prepositionsOf(language).has(word))) return false
  }
  return false
}

/** How many other words may stand between an adverb and its effect: "thick morning fog". */
const otherWordsMax = 2

/** Adverbs belong to the word beside them: in "many people in the rain", it rains as usual. */
function amountOf({ tokens, language }: Sentence, { adverbs }: Marks, hit: Hit<Meaning>): number {
  const prepositions = prepositionsOf(language)
  // "Warm light" is light, not a little of it.
  const isLight = hit.meaning.kind === 'effect' && effects[hit.meaning.name].isLight
  const adverb = (i: number) => (isLight && tokens[i]!.word === 'light' ? undefined : adverbs.get(i))
  const own = hit.tokens.map((i) => tokens[i]!.word).join('')
  if (/[大暴浓濃豪猛]/u.test(own)) return amounts.strong
  if (/[小微细細薄淡]/u.test(own)) return amounts.gentle
  for (let i = hit.from; i < hit.to; i++) if (adverb(i)) return adverb(i)!
  for (let i = hit.from - 1; i >= 0 && i >= hit.from - 1 - otherWordsMax; i--) {
    const { word } = tokens[i]!
    if (adverb(i)) return adverb(i)!
    if (isSign(word) || prepositions.has(word) || /^(the|a|an|and)$/.test(word)) break
  }
  for (let i = hit.to; i < Math.min(tokens.length, hit.to + otherWordsMax); i++) {
    const { word } = tokens[i]!
    if (adverb(i) && (language !== 'en' || /ly$|^hard$/.test(word))) return adverb(i)!
    if (isSign(word) || prepositions.has(word)) break
  }
  return 1
}

function notDoneIn(sentence: Sentence, marks: Marks, group: Group, camera: Set<number>): Quote | null {
  const wish = group.hits.find((hit) => hit.meaning.kind === 'wish' && !isForbidden(sentence, marks, hit))
  if (wish) return quoteOf(sentence, group)
  const drawn = new Set(
    group.hits
      .filter(({ meaning }) => meaning.kind === 'effect' || meaning.kind === 'wind')
      .flatMap((hit) => hit.tokens),
  )
  const framed = new Set(group.hits.filter(({ meaning }) => meaning.kind === 'framing').flatMap((hit) => hit.tokens))
  for (const act of group.hits) {
    if (act.meaning.kind !== 'act' || isForbidden(sentence, marks, act)) continue
    const subject = subjectAt(sentence, act.from, group.from) ?? -1
    const alone = act.tokens.length === 1 || sentence.language !== 'en'
    // The camera's own verb, or that of something that is drawn: "smoke curls", but not "the wind moves her hair".
    if (camera.has(subject) || framed.has(subject) || act.tokens.some((i) => camera.has(i))) continue
    if (alone && (drawn.has(subject) || drawn.has(act.from))) continue
    return quote(sentence, afterLast(group, act.from, [camera, drawn, framed]), group.to)
  }
  return null
}

/** The last word before a verb that is no adverb; null at the start of a clause. */
function subjectAt({ tokens, language }: Sentence, at: number, from: number): number | null {
  for (let i = at - 1; i >= Math.max(from, at - adverbsMax); i--) {
    const { word } = tokens[i]!
    if (isSign(word)) return null
    if (!(word.endsWith('ly') || passed.has(word)) || language !== 'en') return i
  }
  return null
}

const adverbsMax = 6
const passed = new Set('is are was begins begin starts start to and slowly continues seems which that'.split(' '))

/** Where the words of an act begin: after what is read as something else. */
function afterLast(group: Group, act: number, others: Set<number>[]): number {
  for (let i = act - 1; i >= group.from; i--) if (others.some((tokens) => tokens.has(i))) return i + 1
  return group.from
}

function quoteOf(sentence: Sentence, { from, to }: Pick<Group, 'from' | 'to'>): Quote {
  return quote(sentence, from, to)
}

/** The words of some tokens, without what only joins them to others. */
function quote({ tokens, language }: Sentence, from: number, to: number): Quote {
  const joins = (word: string) =>
    isSign(word) ? word !== '"' : word !== 'up' && (prepositionsOf(language).has(word) || leads.has(word))
  let [first, last] = [from, to - 1]
  const lettered = language === 'zh' || language === 'ja' || language === 'ko' || language === 'ar'
  while (
    first < last &&
    (joins(tokens[first]!.word) || (lettered && /^[的了着が地를을에의]$/u.test(tokens[first]!.word)))
  )
    first++
  while (last > first && isSign(tokens[last]!.word) && tokens[last]!.word !== '"') last--
  return { start: tokens[first]!.start, end: tokens[last]!.end }
}

const leads = new Set('and then while as when but or where und et y e и qui que che'.split(' '))
