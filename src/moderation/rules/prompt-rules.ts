// Judges a prompt by its words: hard rules first, then the dictionary. The first that objects decides. Rules and
// dictionary read every spelling of a long prompt, which takes up to a second: this runs in a child process.
import { createDictionary } from './dictionary.ts'
import { hardRules } from './hard-rules.ts'
import { withoutHarmlessPhrases } from './harmless.ts'
import { readings } from './readings.ts'

/** Returns what is not allowed, fit to be shown; null when there is no objection. */
export type PromptRules = (prompt: string) => string | null

export function createPromptRules(): PromptRules {
  const isProfane = createDictionary()
  return (prompt) => {
    const texts = readings(prompt).map(withoutHarmlessPhrases)
    const broken = hardRules.find((rule) => texts.some(rule.test))
    if (broken) return broken.topic
    return texts.some(isProfane) ? 'obscene or hateful language' : null
  }
}
