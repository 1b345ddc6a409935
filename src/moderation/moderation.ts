// The moderation port and its built-in implementation: may this prompt, may this image be used?
// Best effort, on by default, switchable. It decides; fetching, decoding limits and task states are elsewhere.

import { createImageClassifier, type ImageClassifierOptions } from './image-classifier.ts'
import type { Embed } from './meaning.ts'
import type { ImageScores } from './nsfw-model.ts'
import { createPromptCheck } from './prompt-check.ts'
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
  /** Rejects only when the check could not be made (the injected `embed` failed). */
  checkPrompt(text: string): Promise<Verdict>
  /** `path`: a local JPEG or PNG. Rejects when it could not be checked: unreadable, or the checking process died. */
  checkImage(path: string): Promise<Verdict>
  close(): Promise<void>
}

export type ModerationMode = 'on' | 'prompts' | 'off'

export interface ModeratorOptions {
  mode: ModerationMode
  thresholds?: Partial<ModerationThresholds>
  /** Turns texts into unit vectors. Without it, prompts are judged by rules and dictionary alone. */
  embed?: Embed
  images?: ImageClassifierOptions
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
  const promptCheck =
    options.mode === 'off'
      ? null
      : createPromptCheck({ similarityMax: thresholds.promptSimilarity, embed: options.embed })
  const classifier = options.mode === 'on' ? createImageClassifier(options.images) : null

  return {
    async checkPrompt(text) {
      const objection = await promptCheck?.(text)
      if (!objection) return allowed
      return {
        allowed: false,
        reason: 'prompt_moderated',
        message: `The prompt was refused by moderation (not allowed: ${objection.topic}).`,
      }
    },

    async checkImage(path) {
      if (!classifier) return allowed
      return judgeImage(await classifier.classify(path), thresholds.imageExplicit)
    },

    async close() {
      await classifier?.close()
    },
  }
}
