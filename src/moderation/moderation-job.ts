// What passes between the service and the processes that judge prompts and images. Types only.

export type ModerationJob = { kind: 'prompt'; text: string } | { kind: 'image'; path: string }

export type ModerationResult =
  | { kind: 'prompt'; objection: string | null; withoutHarmless: string }
  | { kind: 'image'; scores: ImageScores }

/** Probabilities that add up to 1, in the order of the model's outputs. */
export interface ImageScores {
  drawing: number
  hentai: number
  neutral: number
  porn: number
  sexy: number
}
