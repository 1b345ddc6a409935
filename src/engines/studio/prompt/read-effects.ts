// Reads which effects a prompt asks for, how strongly, and what it asks for that cannot be drawn. Pure.

import { type EffectName, effects } from '../effects/all.ts'
import type { EffectWish } from '../effects/effect.ts'
import {
  effectPatterns,
  electricWords,
  gentleWords,
  stillLife,
  strongWords,
  windWords,
  withoutAfter,
  withoutWords,
} from './effect-words.ts'
import { notDonePatterns } from './not-done-words.ts'
import { plainText } from './plain-text.ts'

/** How far around an effect's word its adverbs stand, in characters. */
const adverbReach = 22
/** More at once would hide the picture. */
const effectsMax = 4

/** The effects that the parts of a prompt ask for. An effect of a later part begins later. */
export function readEffects(parts: string[], negativePrompt: string): EffectWish[] {
  const unwanted = new Set(find(negativePrompt).map(({ name }) => name))
  const wishes: EffectWish[] = []
  for (const [i, part] of parts.entries()) {
    for (const { name, forbidden, around } of find(part)) {
      if (forbidden) unwanted.add(name)
      else if (!wishes.some((wish) => wish.name === name)) {
        wishes.push({
          name,
          amount: amountOf(name, around),
          ...(i > 0 && { from: i / parts.length }),
          ...(name === 'flicker' && electricWords.test(around) && { electric: true as const }),
        })
      }
    }
  }
  if (!wishes.some(showsWind)) {
    const wind = findWind(parts)
    if (wind) wishes.push({ ...wind, implied: true })
  }
  // A shift of focus is shallow already, and old film has its grain.
  const names = new Set(wishes.map(({ name }) => name))
  if (names.has('rackFocus')) unwanted.add('shallowFocus')
  if (names.has('vintage')) unwanted.add('grain')
  return wishes.filter(({ name }) => !unwanted.has(name)).slice(0, effectsMax)
}

/** The effects of which a prompt says that they are not there, or end. */
export function refusedEffects(prompt: string, negativePrompt: string): EffectName[] {
  const mentions = find(prompt)
  const forbidden = mentions.filter((mention) => mention.forbidden)
  return [...find(negativePrompt), ...forbidden].map(({ name }) => name)
}

const showsWind = ({ name }: EffectWish) => effects[name].windborne

/** Foliage that sways in the wind, although the prompt does not name it. */
function findWind(parts: string[]): EffectWish | null {
  for (const [i, part] of parts.entries()) {
    const wind = mentionsOf(windWords, plainText(part)).find(({ forbidden }) => !forbidden)
    if (!wind) continue
    return { name: 'foliage', amount: amountOf('foliage', wind.around), ...(i > 0 && { from: i / parts.length }) }
  }
  return null
}

interface Mention {
  forbidden: boolean
  /** The clause that it stands in, as far as adverbs reach. */
  around: string
  at: number
}

function find(text: string): (Mention & { name: EffectName })[] {
  const plain = plainText(text).replace(stillLife, (match) => ' '.repeat(match.length))
  const found = effectPatterns.flatMap(([name, ...patterns]) =>
    patterns.flatMap((pattern) => mentionsOf(pattern, plain).map((mention) => ({ name, ...mention }))),
  )
  return found.toSorted((a, b) => a.at - b.at)
}

function mentionsOf(pattern: RegExp, plain: string): Mention[] {
  return [...plain.matchAll(pattern)].map(({ 0: word, index }) => {
    const end = index + word.length
    const before = plain.slice(Math.max(0, index - adverbReach), index)
    const after = plain.slice(end, end + adverbReach)
    const forbidden = withoutWords.test(before) || withoutAfter.test(after)
    return { forbidden, around: clauseAround(before, word, after), at: index }
  })
}

/** Adverbs count within the clause only. */
function clauseAround(before: string, word: string, after: string): string {
  return before.split(/[,.;。、,]/u).at(-1) + word + after.split(/[,.;。、,]/u)[0]
}

function amountOf(name: EffectName, around: string): number {
  // "Warm light" is light, not a little of it.
  if (effects[name].isLight) around = around.replace(/\blight\b/gu, '')
  if (strongWords.test(around)) return 1.4
  return gentleWords.test(around) ? 0.6 : 1
}

/** What a prompt asks for and is not among the drawn effects, in plain English. */
export function readNotDone(prompt: string, drawn: EffectWish[]): string[] {
  const plain = plainText(prompt)
  const labels = notDonePatterns.filter(([, pattern]) => pattern.test(plain)).map(([label]) => label)
  return findWind([prompt]) && !drawn.some(showsWind) ? [...labels, 'wind'] : labels
}
