// Judges a prompt in three steps: hard rules, dictionary with whitelist, meaning. The first that objects decides.
// It does not know settings or verdicts' wire form; moderation.ts turns the topic into a verdict.

import { createDictionary } from './dictionary.ts'
import { hardRules } from './hard-rules.ts'
import { withoutHarmlessPhrases } from './harmless.ts'
import { createMeaningCheck, type Embed } from './meaning.ts'
import { readings } from './readings.ts'

export interface Objection {
  step: 'rule' | 'dictionary' | 'meaning'
  /** Fit to be shown: names what is not allowed, never what was written. */
  topic: string
}

export type PromptCheck = (prompt: string) => Promise<Objection | null>

export function createPromptCheck(options: { similarityMax: number; embed?: Embed }): PromptCheck {
  const isProfane = createDictionary()
  const isNearPolicy = options.embed ? createMeaningCheck(options.embed, options.similarityMax) : null

  return async (prompt) => {
    const texts = readings(prompt).map(withoutHarmlessPhrases)
    const broken = hardRules.find((rule) => texts.some(rule.test))
    if (broken) return { step: 'rule', topic: broken.topic }
    if (texts.some(isProfane)) return { step: 'dictionary', topic: 'obscene or hateful language' }
    if (await isNearPolicy?.(withoutHarmlessPhrases(prompt)))
      return { step: 'meaning', topic: 'violent, sexual or hateful content' }
    return null
  }
}
