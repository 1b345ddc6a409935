// Splits a text into the model's tokens, as the model's package does, but in linear instead of quadratic time. Pure;
// the vocabulary is the package's.

/** The package's vocabulary as a trie: one character per edge, with a word at each node where one ends. */
export interface VocabularyNode {
  children: Record<string, VocabularyNode>
  end: boolean
  /** The word's characters, its score and its index in the vocabulary. */
  word: [string[], number, number]
}

export interface Vocabulary {
  root: VocabularyNode
  /** The length of the word with this index. */
  lengthOf(index: number): number
}

/** Maximum number of characters read after normalisation. The model reads 128 tokens of at most 16 characters each. */
const charactersReadMax = 8192

const wordStart = '\u2581'
const unknown = 0

/**
 * The tokens with the best sum of scores. Ties, unknown characters and unreachable positions are treated exactly as in
 * the package, so that the tokens are the same.
 */
export function tokensOf(text: string, { root, lengthOf }: Vocabulary): number[] {
  const symbols = symbolsOf(text)
  const best = new Float64Array(symbols.length + 1)
  const lastWord = new Int32Array(symbols.length + 1)

  function offer(end: number, score: number, index: number): void {
    if (best[end] !== 0 && score < best[end]!) return
    best[end] = score
    lastWord[end] = index
  }

  for (let start = 0; start < symbols.length; start++) {
    const before = best[start]!
    let found = false
    let node = root.children[symbols[start]!]
    for (let at = start + 1; node !== undefined; at++) {
      if (node.end) {
        found = true
        offer(at, node.word[1] + before, node.word[2])
      }
      node = at < symbols.length ? node.children[symbols[at]!] : undefined
    }
    if (!found) offer(start + 1, before, unknown)
  }

  const tokens: number[] = []
  for (let end = symbols.length; end > 0; end -= lengthOf(lastWord[end]!)) {
    const token = lastWord[end]!
    // A run of unknown characters is one token.
    if (token !== unknown || tokens.at(-1) !== unknown) tokens.push(token)
  }
  return tokens.reverse()
}

/** Normalise before cutting: one character may expand to a whole phrase. */
function symbolsOf(text: string): string[] {
  const symbols: string[] = text === '' ? [] : [wordStart]
  for (const symbol of text.normalize('NFKC')) {
    if (symbols.length > charactersReadMax) break
    symbols.push(symbol === ' ' ? wordStart : symbol)
  }
  return symbols
}
