// "Did you mean …": the word of a list that is closest to one that is not in it. Pure.

/** Null when nothing is close enough to be meant. */
export function nearest(word: string, known: readonly string[]): string | null {
  const max = Math.ceil(word.length / 3)
  const best = known
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .sort((a, b) => a.distance - b.distance)[0]
  return best && best.distance <= max ? best.candidate : null
}

/** Letters to insert, delete or replace (Levenshtein). */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1))
    }
    previous = current
  }
  return previous[b.length]!
}
