// A client that cuts a text in the middle of an emoji sends half a surrogate pair. It becomes U+FFFD, as everywhere on the
// web, so that nothing downstream has to handle one: PostgreSQL cannot read any text from JSON that contains one.

/** Only an escape can bring half a pair: bytes that stand for one are not UTF-8. */
const surrogateEscape = /\\u[dD][89a-fA-F]/

/** The value parsed from the text, with such halves replaced. */
export function wellFormed(text: string, value: unknown): unknown {
  return surrogateEscape.test(text) ? cleaned(value) : value
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cleaned)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name.toWellFormed(), cleaned(part)]))
}
