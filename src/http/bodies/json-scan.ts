// Walks the bytes of a JSON text without parsing it: how deep it is nested, how many values it has, where its long strings
// are. For a text that is not JSON the result is meaningless; the parser rejects it at the byte where the scan went wrong.

/** Deep enough for any request, shallow enough that recursive code downstream cannot overflow the stack. */
const depthMax = 64
/** Far more than any request has. It bounds the time that parsing, checking and hashing a body can take. */
const valuesMax = 2000
/** Strings of at least this length are long. */
const longBytes = 2 ** 16

const [quote, comma, backslash, letterU] = [0x22, 0x2c, 0x5c, 0x75]
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d]

interface JsonScan {
  /** Goes on up to this byte, and returns what is excessive about the structure, or null. */
  upTo(to: number): string | null
  /** Of each long string: its first byte, places where it can be cut, and its closing quote. */
  longStrings: number[][]
}

export function createJsonScan(bytes: Buffer): JsonScan {
  const longStrings: number[][] = []
  let at = 0
  let depth = 0
  let values = 0
  /** Of the string that the scan is in. */
  let cuts: number[] | null = null
  let lastCut = 0
  return {
    longStrings,
    upTo(to) {
      while (at < to) {
        if (cuts) {
          at = endOfPlain(bytes, at, Math.min(to, lastCut + longBytes))
          if (at >= to) break
          const byte = bytes[at]!
          // Not in the middle of a character, nor of an escape, because the scan steps over it.
          if (at - lastCut >= longBytes && (byte & 0xc0) !== 0x80) {
            lastCut = at
            cuts.push(at)
          }
          if (byte === quote) {
            if (cuts.length > 1) longStrings.push([...cuts, at])
            cuts = null
          }
          at += byte !== backslash ? 1 : bytes[at + 1] === letterU ? 6 : 2
          continue
        }
        const byte = bytes[at++]!
        if (byte === quote) {
          lastCut = at
          cuts = [at]
        } else if (byte === openObject || byte === openArray) {
          if (++depth > depthMax) return 'is nested too deeply'
          values++
        } else if (byte === closeObject || byte === closeArray) depth--
        else if (byte === comma) values++
        if (values > valuesMax) return `has more than ${valuesMax} values`
      }
      return null
    },
  }
}

/** Where a run of bytes without a quote or backslash ends. Nearly all bytes are in such runs, so its loop is kept small. */
function endOfPlain(bytes: Buffer, from: number, to: number): number {
  let at = from
  for (; at < to; at++) {
    const byte = bytes[at]
    if (byte === quote || byte === backslash) break
  }
  return at
}
