// Reads where a rack focus goes from and to: "from the flowers in the foreground to her face".

import type { Sentence } from './sentences.ts'

export type FocusGoal = 'near' | 'far' | 'face'

/** What is sharp first and last; null where the words name something that is not recognised, or nothing. */
export interface FocusShift {
  from: FocusGoal | null
  to: FocusGoal | null
}

const face = /^(faces?|eyes?|lips)$/

export function readFocus(sentence: Sentence): FocusShift {
  const words = sentence.clauses.flatMap((clause) => clause.words)
  const fromAt = words.findIndex(({ word }) => word === 'from')
  const toAt = words.findIndex(({ word }, i) => i > fromAt && /^(to|onto|into|toward|towards)$/.test(word))
  const goal = (first: number, last: number): FocusGoal | null => {
    const own = words.slice(first, last)
    if (own.some(({ word }) => face.test(word))) return 'face'
    const [from, to] = [own[0]?.at ?? 0, (own.at(-1)?.at ?? -1) + 1]
    for (const { meaning, from: at } of sentence.hits) {
      if (meaning.kind === 'distance' && at >= from && at < to) return meaning.at
    }
    return null
  }
  return {
    from: fromAt < 0 ? null : goal(fromAt + 1, toAt < 0 ? words.length : toAt),
    to: toAt < 0 ? null : goal(toAt + 1, words.length),
  }
}
