// Moderators for tests, and what they refuse of a corpus.
import * as moderation from '../../../src/moderation/moderation.ts'

const tester = { caller: { account: 'test', key: 'test' } }
const opened: moderation.Moderator[] = []
/** For the end of a file. */
export const closeModerators = () => Promise.all(opened.map((moderator) => moderator.close()))

/** A moderator for one caller. */
export function createModerator(options: moderation.ModeratorOptions) {
  const moderator = moderation.createModerator(options)
  opened.push(moderator)
  return {
    checkPrompt: (text: string) => moderator.checkPrompt(text, tester),
    checkImage: (path: string) => moderator.checkImage(path, tester),
  }
}
type Moderator = ReturnType<typeof createModerator>

export async function refused(moderator: Moderator, prompts: readonly string[]): Promise<string[]> {
  const verdicts = await Promise.all(prompts.map((prompt) => moderator.checkPrompt(prompt)))
  return prompts.filter((_, index) => !verdicts[index]!.allowed)
}
