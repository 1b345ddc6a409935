// Reads a prompt: camera moves in their order, framing, effects, and what is not done. A pure function of text, so that the
// service can explain a prompt without rendering it.

import { type EffectName, effects as known } from '../effects/all.ts'
import { type EffectWish, timeOf } from '../effects/effect.ts'
import type { FocusShift } from './focus.ts'
import { type Language, languageTeller } from './language.ts'
import { movesOf } from './moves/grammar.ts'
import type { Moves } from './moves/moves.ts'
import { type Place, readPlace } from './moves/place.ts'
import { isCameraWord, isSmallWord } from './moves/words.ts'
import { phasesOf } from './phases.ts'
import { type Mention, type Quote, readScene, type SceneReading } from './scene.ts'
import { sceneVocabulary } from './scene-vocabulary.ts'
import { cameraVocabulary, type Sentence, sentencesOf } from './sentences.ts'
import { spellOut } from './shorthand.ts'
import { asWritten, tokensOf } from './text.ts'
import { prepositionsOf } from './words/light.ts'
import type { ShotSize } from './words/scene-words.ts'

export interface PromptReading {
  /** Moves that are played one after another. */
  phases: Moves[]
  /** The sizes of shots that it names. */
  sizes: ShotSize[]
  /** Whether a single shot should end close to what it aims at. */
  close: boolean
  /** Where a push-in goes, if the prompt says so. */
  place: Place | null
  effects: EffectWish[]
  /** Where the focus goes from and to, if the prompt shifts it. */
  focus: FocusShift | null
  /** What is asked for and not done, in the prompt's own words. */
  notDone: string[]
}

const phasesMax = 4
/** More at once would hide the picture. */
const effectsMax = 4

export function readPrompt(prompt: string, negativePrompt: string): PromptReading {
  const parts = sentencesOfParts(prompt)
  const unwanted = sentencesOfParts(negativePrompt).flat()
  const scenes = parts.map((sentences) => sentences.map(readScene))
  const all = scenes.flat()
  const { effects, left } = effectsOf(scenes, unwanted)
  const { pace } = timeOf(effects)
  const phases = phasesIn(parts, unwanted)
  const sizes = [...new Set(all.flatMap((scene) => scene.sizes))]
  const quotes = [...all.flatMap((scene) => scene.notDone), ...left].toSorted((a, b) => a.start - b.start)
  return {
    phases: pace < 1 ? phases.map((moves) => ({ ...moves, speed: Math.max(0.5, moves.speed * pace) })) : phases,
    sizes,
    close: sizes[0] === 'close' || sizes[0] === 'detail' || all.some(({ toFace }) => toFace),
    place: phases.some(({ zoom }) => zoom > 0) ? readPlace(parts.flat()) : null,
    effects,
    focus: all.find(({ focus }) => focus)?.focus ?? null,
    notDone: [...new Set(quotes.map(({ start, end }) => wordsBetween(prompt, start, end)))],
  }
}

/** What stands in a prompt, in whole words. */
function wordsBetween(prompt: string, from: number, to: number): string {
  const letter = /[\p{Script=Latin}\p{Script=Cyrillic}\p{M}]/u
  let [start, end] = [from, to]
  while (start > 0 && letter.test(prompt[start - 1]!) && letter.test(prompt[start]!)) start--
  while (end < prompt.length && letter.test(prompt[end]!) && letter.test(prompt[end - 1]!)) end++
  return prompt.slice(start, end).replace(/\s+/g, ' ')
}

/** The moves that a text names, all at once. */
export function readMoves(prompt: string, negativePrompt: string): Moves {
  return movesOf(sentencesOfParts(prompt).flat(), sentencesOfParts(negativePrompt).flat())
}

/** The effects of which a prompt says that they are not there, or end. */
export function refusedEffects(prompt: string, negativePrompt: string): EffectName[] {
  const mentions = sentencesOfParts(prompt).flat().flatMap(mentionsIn)
  const forbidden = mentions.filter((mention) => mention.forbidden)
  return [...sentencesOfParts(negativePrompt).flat().flatMap(mentionsIn), ...forbidden].flatMap(({ name }) =>
    name === 'wind' ? [] : name,
  )
}

/** The framing that a prompt names. */
export function namedSize(prompt: string): ShotSize | null {
  return (
    sentencesOfParts(prompt)
      .flat()
      .flatMap((sentence) => readScene(sentence).sizes)[0] ?? null
  )
}

const mentionsIn = (sentence: Sentence) => readScene(sentence).mentions

function sentencesOfParts(prompt: string): Sentence[][] {
  const written = spellOut(asWritten(prompt))
  const languageFor = languageTeller(tokensOf(written), weightOf)
  const parts = phasesOf(written).map((part, i) => sentencesOf(part, languageFor, i > 0))
  const spoken = parts.findIndex((part) => part.some(speaksOfCamera))
  // A later part speaks of the camera that an earlier one named.
  return parts.map((part, i) => (spoken >= 0 && i > spoken && !part.some(speaksOfCamera) ? part.map(ofCamera) : part))
}

/** "zooms in, then pans left": each part that names a move is played in its turn. */
function phasesIn(parts: Sentence[][], unwanted: Sentence[]): Moves[] {
  const whole = movesOf(parts.flat(), unwanted)
  if (parts.length < 2) return [whole]
  const named = parts.map((part) => movesOf(part, unwanted)).filter((moves) => moves.named && !moves.still)
  return named.length > 1 ? named.slice(0, phasesMax) : [whole]
}

/** How much a word says for a language: small words more than others, which languages share. */
function weightOf(word: string, language: Language): number {
  if (sceneVocabulary.light(language, true).has(word) || prepositionsOf(language).has(word)) return word.length + 3
  if (language === 'en' && isSmallWord(word)) return word.length + 3
  const own = [sceneVocabulary, cameraVocabulary].some((vocabulary) => vocabulary.knows(word, language))
  return own || (language === 'en' && isCameraWord(word)) ? word.length : 0
}

function speaksOfCamera({ clauses }: Sentence): boolean {
  return clauses.some(({ words }) => words.some(({ word }) => word === 'camera'))
}

function ofCamera(sentence: Sentence): Sentence {
  const [first, ...others] = sentence.clauses
  if (!first) return sentence
  const words = [{ word: 'camera', at: first.from, tokens: [] }, ...first.words]
  return { ...sentence, clauses: [{ ...first, words }, ...others] }
}

/** The effects of a prompt, those of a later part beginning later; and the words of those that are too many. */
function effectsOf(parts: SceneReading[][], unwanted: Sentence[]): { effects: EffectWish[]; left: Quote[] } {
  const refused = new Set<Mention['name']>(unwanted.flatMap(mentionsIn).map(({ name }) => name))
  const found: { wish: EffectWish; quote: Quote }[] = []
  const winds: { wish: EffectWish; quote: Quote }[] = []
  for (const [i, part] of parts.entries()) {
    for (const { name, forbidden, amount, electric, quote } of part.flatMap(({ mentions }) => mentions)) {
      const later = i > 0 && { from: i / parts.length }
      if (forbidden) {
        if (name !== 'wind') refused.add(name)
      } else if (name === 'wind') {
        // Foliage sways in the wind, although the prompt does not name it.
        winds.push({ wish: { name: 'foliage', amount, ...later, implied: true }, quote })
      } else if (!found.some(({ wish }) => wish.name === name)) {
        found.push({ wish: { name, amount, ...later, ...(electric && { electric: true as const }) }, quote })
      }
    }
  }
  if (winds.length > 0 && !found.some(({ wish }) => known[wish.name].windborne)) found.push(winds[0]!)
  // A shift of focus is shallow already, and old film has its grain.
  const names = new Set(found.map(({ wish }) => wish.name))
  if (names.has('rackFocus')) refused.add('shallowFocus')
  if (names.has('vintage')) refused.add('grain')
  const asked = found.filter(({ wish }) => !refused.has(wish.name))
  return {
    effects: asked.slice(0, effectsMax).map(({ wish }) => wish),
    left: asked.slice(effectsMax).map(({ quote }) => quote),
  }
}
