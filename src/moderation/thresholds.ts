// Where moderation draws the line, apart from the code that loads models and word lists: settings need only this.

export interface ModerationThresholds {
  /** Cosine to a policy sentence above which a prompt is refused. */
  promptSimilarity: number
  /** Probability of "porn" and "hentai" together above which an image is refused. */
  imageExplicit: number
}

export const defaultThresholds: ModerationThresholds = { promptSimilarity: 0.6, imageExplicit: 0.6 }
