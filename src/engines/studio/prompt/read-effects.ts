// Reads which effects a prompt asks for, how strongly, and what it asks for that cannot be drawn. Pure.

import { plainText } from '../camera/plain-text.ts'
import type { EffectName, EffectWish } from '../effects/effect.ts'
import { effectPatterns, gentleWords, stillLife, strongWords, withoutAfter, withoutWords } from './effect-words.ts'
import { notDonePatterns } from './not-done-words.ts'

/** How far around an effect's word its adverbs stand, in characters. */
const adverbReach = 22
/** More at once would hide the picture. */
const effectsMax = 3

export function readEffects(prompt: string, negativePrompt: string): EffectWish[] {
  const unwanted = new Set(find(negativePrompt).map(({ name }) => name))
  const wishes: EffectWish[] = []
  for (const { name, forbidden, around } of find(prompt)) {
    if (forbidden) unwanted.add(name)
    else if (!wishes.some((wish) => wish.name === name)) wishes.push({ name, amount: amountOf(around) })
  }
  return wishes.filter(({ name }) => !unwanted.has(name)).slice(0, effectsMax)
}

interface Found {
  name: EffectName
  forbidden: boolean
  around: string
  at: number
}

function find(text: string): Found[] {
  const plain = plainText(text).replace(stillLife, (match) => ' '.repeat(match.length))
  const found: Found[] = []
  for (const [name, latin, any] of effectPatterns) {
    for (const match of [...plain.matchAll(latin), ...plain.matchAll(any)]) {
      const end = match.index + match[0].length
      const before = plain.slice(Math.max(0, match.index - adverbReach), match.index)
      const after = plain.slice(end, end + adverbReach)
      const forbidden = withoutWords.test(before) || withoutAfter.test(after)
      found.push({ name, forbidden, around: clauseAround(before, match[0], after), at: match.index })
    }
  }
  return found.toSorted((a, b) => a.at - b.at)
}

/** Adverbs count within the clause only. */
function clauseAround(before: string, word: string, after: string): string {
  return before.split(/[,.;。、,]/u).at(-1) + word + after.split(/[,.;。、,]/u)[0]
}

function amountOf(around: string): number {
  if (strongWords.test(around)) return 1.4
  return gentleWords.test(around) ? 0.6 : 1
}

/** What a prompt asks for and is not drawn, in plain English. */
export function readNotDone(prompt: string, effects: EffectWish[]): string[] {
  const plain = plainText(prompt).replace(stillLife, ' ')
  const drawsWind = effects.some(({ name }) => name === 'foliage' || name === 'clouds')
  return notDonePatterns.flatMap(([label, pattern]) => {
    if (!pattern.test(plain)) return []
    return label === 'wind' && drawsWind ? [] : [label]
  })
}
