// The one form in which words are written down, and the one matcher that finds them. Of matches that share a word, the
// longest wins, whatever it means.
//
// Phrases are separated by commas. "a/b" is a or b, "fall*" any word that begins so, "the?" may be missing, and "petals ~ fall*"
// are two parts that stand in either order with a few words between; "^freezes$" is all that a clause says. Articles, adverbs and "begins to" may stand between
// any two words.

import { type Language, languages } from './language.ts'
import { asWritten, type Token, tokensOf } from './text.ts'

export type Phrases = { [language in Language]?: string }

export interface Hit<Meaning> {
  meaning: Meaning
  /** The tokens from its first up to the one after its last. */
  from: number
  to: number
  /** The tokens that it consists of: between its parts, others may stand. */
  tokens: number[]
}

interface Rule<Meaning> {
  meaning: Meaning
  parts: 1 | 2
  /** Whether a clause says nothing else. */
  alone: boolean
}

interface Node<Meaning> {
  words: Map<string, Node<Meaning>>
  stems: Map<string, Node<Meaning>>
  ends: { rule: Rule<Meaning>; part: 0 | 1 }[]
}

interface Candidate<Meaning> extends Hit<Meaning> {
  own: boolean
  letters: number
}

/** Between the two parts of a phrase. */
const lettersBetweenMax = 10
const wordsBetweenMax = 5
const lightBetweenMax = 4
const stemLettersMax = 20

export interface Vocabulary<Meaning> {
  find(tokens: Token[], language: Language): Hit<Meaning>[]
  /** Whether a word stands in its phrases. */
  knows(word: string, language: Language): boolean
  /** With those of English, which stand in prompts of all languages, unless `alone`. */
  light(language: Language, alone?: boolean): ReadonlySet<string>
}

/** `light` are the words that may stand between the words of a phrase. */
export function vocabulary<Meaning>(entries: [Meaning, Phrases][], light: Phrases): Vocabulary<Meaning> {
  const grown = Object.fromEntries(languages.map((language) => [language, once(() => grow(entries, light, language))]))
  return {
    find(tokens, language) {
      const own = candidates(tokens, grown[language]!(), true)
      const english =
        language === 'en' ? [] : candidates(tokens, { ...grown.en!(), light: grown[language]!().light }, false)
      return longest([...own, ...english], tokens.length)
    },
    knows(word, language) {
      const { known } = grown[language]!()
      if (known.has(word)) return true
      for (let end = 2; end <= Math.min(word.length, stemLettersMax); end++) {
        if (known.has(`${word.slice(0, end)}*`)) return true
      }
      return false
    },
    light: (language, alone = false) => (alone ? grown[language]!().ownLight : grown[language]!().light),
  }
}

interface Grown<Meaning> {
  root: Node<Meaning>
  light: ReadonlySet<string>
  ownLight: ReadonlySet<string>
  known: ReadonlySet<string>
}

function grow<Meaning>(entries: [Meaning, Phrases][], light: Phrases, language: Language): Grown<Meaning> {
  const root = node<Meaning>()
  const known = new Set<string>()
  for (const [meaning, phrases] of entries) {
    for (const phrase of phrases[language]?.split(',') ?? []) {
      const parts = phrase.replace(/[\^$]/g, '').split('~')
      const rule: Rule<Meaning> = { meaning, parts: parts.length > 1 ? 2 : 1, alone: phrase.trim().startsWith('^') }
      for (const [i, part] of parts.entries()) {
        for (const path of pathsOf(part)) {
          plant(root, path).ends.push({ rule, part: i as 0 | 1 })
          for (const word of path) known.add(word)
        }
      }
    }
  }
  const ownLight = new Set((light[language] ?? '').split(/\s+/))
  return { root, light: new Set([...ownLight, ...light.en!.split(/\s+/)]), ownLight, known }
}

function node<Meaning>(): Node<Meaning> {
  return { words: new Map(), stems: new Map(), ends: [] }
}

/** Every way to write a phrase, word by word. */
function pathsOf(phrase: string): string[][] {
  let paths: string[][] = [[]]
  for (const piece of phrase.split(/[\s-]+/).filter(Boolean)) {
    const optional = piece.endsWith('?')
    const ways = piece
      .replaceAll('?', '')
      .split('/')
      .map((way) => {
        if (/^[a-z]+\*?$/.test(way)) return [way]
        const words = tokensOf(asWritten(way.replace('*', ''))).map(({ word }) => word)
        return way.endsWith('*') ? [...words.slice(0, -1), `${words.at(-1)}*`] : words
      })
    paths = paths.flatMap((path) => [...(optional ? [path] : []), ...ways.map((way) => [...path, ...way])])
  }
  return paths
}

function plant<Meaning>(root: Node<Meaning>, path: string[]): Node<Meaning> {
  let at = root
  for (const word of path) {
    const [map, key] = word.endsWith('*') ? [at.stems, word.slice(0, -1)] : [at.words, word]
    if (!map.has(key)) map.set(key, node())
    at = map.get(key)!
  }
  return at
}

export const isSign = (word: string) => !/[\p{L}\p{N}]/u.test(word) && word !== "'" && word !== '-' && word !== '&'

/** Every match, `own` ones being of the prompt's language. */
function candidates<Meaning>(tokens: Token[], { root, light }: Grown<Meaning>, own: boolean): Candidate<Meaning>[] {
  const found: Candidate<Meaning>[] = []
  const halves = new Map<Rule<Meaning>, [Candidate<Meaning> | null, Candidate<Meaning> | null]>()
  for (let i = 0; i < tokens.length; i++) {
    if (isSign(tokens[i]!.word)) halves.clear()
    if (!tokens[i]!.begins) continue
    walk(root, i, [], 0)
  }
  return found

  function walk(at: Node<Meaning>, i: number, path: number[], skipped: number): void {
    if (path.length > 0) for (const { rule, part } of at.ends) meet(rule, part, path)
    const word = tokens[i]?.word
    if (word === undefined) return
    for (const next of stepsFrom(at, word)) walk(next, i + 1, [...path, i], 0)
    const sign = word === '-' || word === "'" || word === '’'
    if (path.length > 0 && skipped < lightBetweenMax && (sign || light.has(word))) walk(at, i + 1, path, skipped + 1)
  }

  function meet(rule: Rule<Meaning>, part: 0 | 1, path: number[]): void {
    const half = candidate(rule, path)
    if (rule.alone && !(isEdge(half.from - 1) && isEdge(half.to))) return
    if (rule.parts === 1) {
      found.push(half)
      return
    }
    const pair = halves.get(rule) ?? [null, null]
    const other = pair[part === 0 ? 1 : 0]
    if (other && other.to <= half.from && between(other.to, half.from)) {
      found.push(candidate(rule, [...other.tokens, ...half.tokens]))
    }
    pair[part] = half
    halves.set(rule, pair)
  }

  function candidate({ meaning }: Rule<Meaning>, path: number[]): Candidate<Meaning> {
    const letters = path.reduce((sum, at) => sum + tokens[at]!.word.length, 0)
    return { meaning, from: path[0]!, to: path.at(-1)! + 1, tokens: path, own, letters }
  }

  function isEdge(i: number): boolean {
    return !tokens[i] || isSign(tokens[i]!.word)
  }

  function between(from: number, to: number): boolean {
    let words = 0
    for (let i = from; i < to && words <= lettersBetweenMax; i++) {
      // "Ash falls like snow".
      if (tokens[i]!.word === 'like') return false
      if (light.has(tokens[i]!.word)) continue
      words += tokens[i]!.word.length > 1 || tokens[i]!.begins ? lettersBetweenMax / wordsBetweenMax : 1
    }
    return to - from <= 3 * lettersBetweenMax && words <= lettersBetweenMax
  }
}

function stepsFrom<Meaning>({ words, stems }: Node<Meaning>, word: string): Node<Meaning>[] {
  const steps = words.has(word) ? [words.get(word)!] : []
  if (stems.size > 0) {
    for (let length = 1; length <= Math.min(word.length, stemLettersMax); length++) {
      const stem = stems.get(word.slice(0, length))
      if (stem) steps.push(stem)
    }
  }
  return steps
}

/** The longest matches, and of those that are equally long the ones of the prompt's own language; in the prompt's order. */
function longest<Meaning>(candidates: Candidate<Meaning>[], length: number): Hit<Meaning>[] {
  const taken = new Array<Candidate<Meaning> | undefined>(length)
  const kept: Hit<Meaning>[] = []
  for (const hit of candidates.toSorted((a, b) => b.letters - a.letters || Number(b.own) - Number(a.own))) {
    const holders = new Set(hit.tokens.map((i) => taken[i]))
    const [holder] = holders
    const same = holders.size === 1 && holder && holder.own === hit.own && String(holder.tokens) === String(hit.tokens)
    if (holders.size > 1 || (holder && !same)) continue
    // Two phrases of one meaning are one.
    if (same && kept.some((other) => other.from === hit.from && other.meaning === hit.meaning)) continue
    for (const i of hit.tokens) taken[i] = hit
    kept.push({ meaning: hit.meaning, from: hit.from, to: hit.to, tokens: hit.tokens })
  }
  return kept.toSorted((a, b) => a.from - b.from)
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
