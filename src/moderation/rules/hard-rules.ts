// What no prompt may ask for: the shape of a rule, and all rules together, which come before dictionary and model.
// English ones are in hard-rules-sexual.ts and hard-rules-violence.ts, the gravest in other languages next to them.
import { hardRulesInOtherLanguages } from './hard-rules-languages.ts'
import { sexualRules } from './hard-rules-sexual.ts'
import { violenceRules } from './hard-rules-violence.ts'
import type { Rule } from './rule-parts.ts'

export const hardRules: readonly Rule[] = [...sexualRules, ...violenceRules, ...hardRulesInOtherLanguages]
