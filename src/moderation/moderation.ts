// The moderation port and its built-in implementation: may this prompt, may this image be used?
// Best effort, on by default, switchable. It decides; fetching, decoding limits and task states are elsewhere.
import type { OnBehalfOf } from '../children/child-pool.ts'
import { createMeaningCheck, type Embed } from './meaning.ts'
import { createModerationChildren, type ModerationChildrenOptions } from './moderation-children.ts'
import type { ImageScores } from './moderation-job.ts'
import { defaultThresholds, type ModerationThresholds } from './thresholds.ts'

export type Verdict =
  | { allowed: true }
  | {
      allowed: false
      reason: 'prompt_moderated' | 'nsfw_image' | 'inappropriate_content'
      /** Public, and never repeats what was refused. */
      message: string
    }

export interface Moderator {
  /** Rejects only when the check could not be made. */
  checkPrompt(text: string, request: OnBehalfOf): Promise<Verdict>
  /** `path`: a local JPEG or PNG. Rejects when it could not be checked: unreadable, or the process crashed over it. */
  checkImage(path: string, request: OnBehalfOf): Promise<Verdict>
  close(): Promise<void>
}

export type ModerationMode = 'on' | 'prompts' | 'off'

export interface ModeratorOptions {
  mode: ModerationMode
  thresholds?: Partial<ModerationThresholds>
  /** Turns texts into unit vectors. Without it, prompts are judged by rules and dictionary alone. */
  embed?: Embed
  children?: ModerationChildrenOptions
}

const allowed: Verdict = Object.freeze({ allowed: true })

/** The model's class "sexy" (swimwear, portraits, dance) never counts: it would refuse half of all fashion. */
export function judgeImage(scores: ImageScores, imageExplicit: number): Verdict {
  if (scores.porn + scores.hentai <= imageExplicit) return allowed
  return {
    allowed: false,
    reason: 'nsfw_image',
    message: 'The image was refused by moderation: it appears to show sexually explicit content.',
  }
}

export function createModerator(options: ModeratorOptions): Moderator {
  const thresholds = { ...defaultThresholds, ...options.thresholds }
  const children = createModerationChildren(options.children)
  const isNearPolicy = options.embed ? createMeaningCheck(options.embed, thresholds.promptSimilarity) : null

  /** What is not allowed, fit to be shown and without the prompt's words: judged by its words, then by its meaning. */
  async function findObjection(prompt: string, request: OnBehalfOf): Promise<string | null> {
    const { objection, withoutHarmless } = await children.judgePrompt(prompt, request)
    if (objection !== null) return objection
    return (await isNearPolicy?.(withoutHarmless, request)) ? 'violent, sexual or hateful content' : null
  }

  return {
    async checkPrompt(text, request) {
      const objection = options.mode === 'off' ? null : await findObjection(text, request)
      if (objection === null) return allowed
      return {
        allowed: false,
        reason: 'prompt_moderated',
        message: `The prompt was refused by moderation (not allowed: ${objection}).`,
      }
    },

    async checkImage(path, request) {
      if (options.mode !== 'on') return allowed
      return judgeImage(await children.scoreImage(path, request), thresholds.imageExplicit)
    },

    close: children.close,
  }
}
