// The parts that prompt rules are made of: word lists that become patterns, and nearness of two of them. Pure.

export type Test = (reading: string) => boolean

export interface Rule {
  /** Safe to show to the author of the prompt. */
  topic: string
  test: Test
}

/** Alternatives in regular-expression syntax, matched as whole words of any script and folded like the readings. */
export function words(...alternatives: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.map(foldPattern).join('|')})(?![\\p{L}\\p{N}])`, 'gu')
}

/** The same for scripts that are written without spaces. */
export function characters(alternatives: string): RegExp {
  return new RegExp(foldPattern(alternatives), 'gu')
}

/** What `fold` does to letters, and nothing to the syntax around them. */
function foldPattern(pattern: string): string {
  return pattern.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('\\p{l}', '\\p{L}')
}

/** A pattern, or the words of one. */
export type Pattern = RegExp | string
const asRegExp = (pattern: Pattern) => (typeof pattern === 'string' ? words(pattern) : pattern)

export function has(pattern: Pattern): Test {
  const found = asRegExp(pattern)
  return (reading) => reading.search(found) !== -1
}

export const either =
  (...tests: Test[]): Test =>
  (reading) =>
    tests.some((test) => test(reading))

/** Both occur, in any order, with at most `wordsBetweenMax` words between them. */
export function near(one: Pattern, other: Pattern, wordsBetweenMax: number): Test {
  const left = asRegExp(one)
  const right = asRegExp(other)
  return (reading) => {
    const lefts = spans(reading, left)
    if (lefts.length === 0) return false
    const rights = spans(reading, right)
    return lefts.some((a) =>
      rights.some((b) => {
        const between = a.end <= b.start ? reading.slice(a.end, b.start) : reading.slice(b.end, a.start)
        return (between.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) <= wordsBetweenMax
      }),
    )
  }
}

/** At most this many occurrences are compared, which bounds the quadratic cost of a prompt that repeats a word thousands of times. */
const spansMax = 50

function spans(reading: string, pattern: RegExp): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  for (const match of reading.matchAll(pattern)) {
    found.push({ start: match.index, end: match.index + match[0].length })
    if (found.length === spansMax) break
  }
  return found
}
