// Judges a prompt by its words: hard rules first, then the dictionary. The first that objects decides. Rules and
// dictionary read every spelling of a long prompt, which takes up to a second: this runs in a child process.
import { createDictionary } from './dictionary.ts'
import { hardRulesInOtherLanguages } from './hard-rules-languages.ts'
import { sexualRules } from './hard-rules-sexual.ts'
import { violenceRules } from './hard-rules-violence.ts'
import { withoutHarmlessPhrases } from './harmless.ts'
import { readings } from './readings.ts'

const hardRules = [...sexualRules, ...violenceRules, ...hardRulesInOtherLanguages]

/** Returns what is not allowed, fit to be shown; null when there is no objection. */
export function createPromptRules(): (prompt: string) => string | null {
  const isProfane = createDictionary()
  return (prompt) => {
    const texts = readings(prompt).map(withoutHarmlessPhrases)
    const broken = hardRules.find((rule) => texts.some(rule.test))
    if (broken) return broken.topic
    return texts.some(isProfane) ? 'obscene or hateful language' : null
  }
}
