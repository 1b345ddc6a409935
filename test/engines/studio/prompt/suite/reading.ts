// The reading of a prompt in one line: "slow push in; with rain; framed close-up; not she smiles".

import { explainPrompt } from '../../../../../src/engines/studio/prompt/explain.ts'

/** What is not done stands in the prompt's own words, separated by " | ". */
export type Expected = [prompt: string, reading: string]

export function reading(prompt: string): string {
  const { moves, effects, framing, notDone } = explainPrompt(prompt, '')
  return [
    moves.join(', '),
    effects.length > 0 && `with ${effects.join(', ')}`,
    framing && `framed ${framing}`,
    notDone.length > 0 && `not ${notDone.join(' | ')}`,
  ]
    .filter(Boolean)
    .join('; ')
}
