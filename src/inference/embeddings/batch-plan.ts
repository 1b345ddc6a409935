// Decides which texts share one pass of the sentence encoder. Pure: token counts in, rows out.

/** The encoder ignores everything after its 128th token. */
export const tokensReadMax = 128

/**
 * Rows of a pass are padded to the longest one, and the encoder's softmax sums four numbers at a time: padded to a
 * multiple of four, a text gives the same bits alone and in any batch. With other padding it may differ by 2e-7.
 */
const paddingStep = 4

/** The maximum of rows × padded length in one pass: 32 rows of 32 tokens, or 8 of 128. Limits the memory of a pass. */
export const passCellsMax = 1024

export interface Pass {
  /** Indexes into the given list. */
  rows: number[]
  paddedLength: number
}

export function paddedLength(tokens: number): number {
  return Math.min(tokensReadMax, Math.max(1, Math.ceil(tokens / paddingStep)) * paddingStep)
}

/** Texts of similar length share a pass, because every row costs as much as the longest one. */
export function planPasses(tokenCounts: readonly number[]): Pass[] {
  const order = tokenCounts.map((_, index) => index).sort((a, b) => tokenCounts[a]! - tokenCounts[b]! || a - b)
  const passes: Pass[] = []
  for (const row of order) {
    const length = paddedLength(tokenCounts[row]!)
    const last = passes.at(-1)
    if (last && (last.rows.length + 1) * length <= passCellsMax) {
      last.rows.push(row)
      last.paddedLength = length
    } else passes.push({ rows: [row], paddedLength: length })
  }
  return passes
}
