// Reads a `Range` header for a file of known size. Pure.

type RangeResult = { start: number; end: number } | 'whole' | 'unsatisfiable'

/** One range is honoured; several, other units and nonsense mean the whole file, as HTTP allows. */
export function readRange(header: string | undefined, size: number): RangeResult {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return 'whole'
  const [first, last] = [match[1]!, match[2]!]
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'whole'
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
