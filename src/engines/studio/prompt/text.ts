// A prompt as words. Each word knows where it stands in the prompt as it was written, so that it can be quoted.

export interface Token {
  /** Lower case, without accents of Latin letters; a sign such as "," stands for itself. */
  word: string
  /** Where it stands in the prompt. */
  start: number
  end: number
  /** Whether a word begins here: what is written without spaces, or with particles, is taken letter by letter. */
  begins: boolean
  /** Whether it is written with a capital: German nouns are. */
  capital: boolean
}

/** A text that was rewritten: `at` has the place in the prompt of each of its characters, and of its end. */
export interface Written {
  text: string
  at: number[]
}

/** What people write, and what is read instead. */
export type Rewrite = [written: RegExp, read: string | ((whole: string, ...groups: string[]) => string)]

/** Three times the longest prompt. */
const charactersReadMax = 9216

export function asWritten(prompt: string): Written {
  const text = prompt.slice(0, charactersReadMax)
  return { text, at: Array.from({ length: text.length + 1 }, (_, i) => i) }
}

/** Each line of the table sees what the lines above it wrote. What is rewritten keeps the place where it stood. */
export function rewrite(written: Written, table: Rewrite[]): Written {
  return table.reduce(({ text, at }, [pattern, read]): Written => {
    const matches = [...text.matchAll(pattern)]
    if (matches.length === 0) return { text, at }
    const pieces: string[] = []
    const places: number[] = []
    let from = 0
    const copy = (end: number) => {
      pieces.push(text.slice(from, end))
      for (let i = from; i < end; i++) places.push(at[i]!)
    }
    for (const match of matches) {
      const end = match.index + match[0].length
      const made = typeof read === 'string' ? expand(read, match) : read(...(match as unknown as [string]))
      copy(match.index)
      pieces.push(made)
      const last = made.trimEnd().length - 1
      for (let i = 0; i < made.length; i++) places.push(at[i >= last ? end - 1 : Math.min(match.index + i, end - 1)]!)
      from = end
    }
    copy(text.length)
    return { text: pieces.join(''), at: [...places, at.at(-1)!] }
  }, written)
}

function expand(read: string, groups: readonly (string | undefined)[]): string {
  return read.replace(/\$(\d)/g, (_, n) => groups[Number(n)] ?? '')
}

export function slice({ text, at }: Written, start: number, end: number): Written {
  return { text: text.slice(start, end), at: at.slice(start, end + 1) }
}

/** Runs of spaces as one space or line break: patterns that look for the end of a run take long in thousands of them. */
export const spaces: Rewrite[] = [[/\s{2,}/g, (run) => (run.includes('\n') ? '\n' : ' ')]]

/** Runs of spaces as one space or line break. */
export function singleSpaced(text: string): string {
  return text.replace(/\s{2,}/g, (run) => (run.includes('\n') ? '\n' : ' '))
}

/** Lower case, without the accents of Latin letters and the signs of Arabic vowels. */
export function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .slice(0, charactersReadMax)
    .replace(/(?<=[a-z])[\u0300-\u036f]+|[\u0640\u064b-\u0655]/giu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ё', 'е')
}

const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u
const spaced = /[\p{Script=Hangul}\p{Script=Arabic}]/u
const pieces =
  /"[^"\n]{0,300}"|“[^”\n]{0,300}”|«[^»\n]{0,300}»|「[^」\n]{0,300}」|@?[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]|\n/gu
/** "And the", "with the" and "the" are written as part of an Arabic word. */
const arabicLead = /^(?:[وف]?[بلك]?ال|[وف]?لل|[وفبلك])/

export function tokensOf({ text, at }: Written): Token[] {
  const tokens: Token[] = []
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    const end = index + piece.length
    const add = (word: string, from: number, to: number, begins: boolean) =>
      tokens.push({ word, start: at[from]!, end: at[to - 1]! + 1, begins, capital: /^\p{Lu}/u.test(piece) })
    if (isQuote(piece)) {
      add('"', index, end, true)
      // What is said ends the sentence, too.
      if (/[.!?。！？].$/u.test(piece)) add('.', end - 1, end, true)
    } else if (spaceless.test(piece) || spaced.test(piece)) addLetters(piece, index, add)
    else addWord(tokens, plainText(piece), (word) => add(word, index, end, true))
  }
  return tokens
}

/** Speech is no description: it is one word. A prompt that stands in quotes as a whole is no speech. */
function isQuote(piece: string): boolean {
  return piece.length > 2 && /^["“«「]/.test(piece)
}

function addWord(tokens: Token[], word: string, add: (word: string) => void): void {
  const before = tokens.at(-1)?.word
  const stem = tokens.at(-2)?.word ?? ''
  // "Don't": what stands before the sign is "don".
  if (word === 't' && (before === "'" || before === '’') && stem.endsWith('n')) {
    tokens.pop()
    tokens.at(-1)!.word = stem.slice(0, -1)
    add('not')
  } else if (/^(dont|doesnt)$/.test(word)) {
    add('do')
    add('not')
  } else if (word.startsWith("'") || word.startsWith('’')) add("'")
  else if (word !== '') add(word)
}

function addLetters(piece: string, index: number, add: (word: string, from: number, to: number, b: boolean) => void) {
  const lead = arabicLead.exec(piece)?.[0].length ?? 0
  let i = 0
  let wordStart = 0
  while (i < piece.length) {
    const letter = String.fromCodePoint(piece.codePointAt(i)!)
    const latin = /^[\p{Script=Latin}\p{N}]+/u.exec(piece.slice(i, i + 60))?.[0]
    const own = latin ?? letter
    const begins = latin !== undefined || spaceless.test(letter) || i === wordStart || i === lead
    const plain = plainText(own)
    if (plain !== '') for (const part of latin ? [plain] : plain) add(part, index + i, index + i + own.length, begins)
    i += own.length
    if (latin || spaceless.test(letter)) wordStart = i
  }
}
