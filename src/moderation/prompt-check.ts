// Judges a prompt by its words, then by its meaning. The first that objects decides. It does not know settings or the
// wire form of verdicts; moderation.ts turns the topic into a verdict.
import type { OnBehalfOf } from '../children/child-pool.ts'
import { createMeaningCheck, type Embed } from './meaning.ts'
import type { ModerationChildren } from './moderation-children.ts'

/** Returns what is not allowed, fit to be shown and without the prompt's words; null when there is no objection. */
export type PromptCheck = (prompt: string, request: OnBehalfOf) => Promise<string | null>

export function createPromptCheck(options: {
  children: ModerationChildren
  similarityMax: number
  embed?: Embed | undefined
}): PromptCheck {
  const isNearPolicy = options.embed ? createMeaningCheck(options.embed, options.similarityMax) : null

  return async (prompt, request) => {
    const { objection, withoutHarmless } = await options.children.judgePrompt(prompt, request)
    if (objection !== null) return objection
    return (await isNearPolicy?.(withoutHarmless, request)) ? 'violent, sexual or hateful content' : null
  }
}
