// Bounds a JSON text by walking its bytes, and parses one of many mebibytes that consists mostly of long strings, such as files in
// base64. The strings are decoded slice by slice, with turns for other requests in between; only the rest is parsed in one go.
import { randomBytes } from 'node:crypto'
import { invalidField } from '../../../contract/errors.ts'

/** Texts larger than a slice are read in slices; strings of at least this length are long. */
export const sliceBytes = 2 ** 16
/** What may be parsed in one go, without the long strings. */
const parsedBytesMax = 2 ** 20

/** Stands for a long string while the rest is parsed. Clients cannot guess it. */
const placeholder = `long string ${randomBytes(16).toString('hex')} `

type Parse = (text: string, done: (error: Error | null, value?: unknown) => void) => void

/** `nextTurn` resolves when the next slice may run. */
export async function parseLargeJson(bytes: Buffer, parse: Parse, nextTurn: () => Promise<void>): Promise<unknown> {
  const scan = createJsonScan(bytes)
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    const problem = scan.upTo(Math.min(bytes.length, from + sliceBytes))
    if (problem !== null) throw invalidField('body', problem)
    await nextTurn()
  }
  const rest = withoutLongStrings(bytes, scan.longStrings)
  if (rest.length > parsedBytesMax) throw invalidField('body', 'is larger than allowed')
  const value = await new Promise((resolve, reject) => {
    parse(rest.toString(), (error, parsed) => (error ? reject(error) : resolve(parsed)))
  })
  const texts: string[] = []
  for (const cuts of scan.longStrings) texts.push(await decode(bytes, cuts, nextTurn))
  return withTexts(value, texts)
}

function withoutLongStrings(bytes: Buffer, longStrings: number[][]): Buffer {
  const parts: Buffer[] = []
  let from = 0
  for (const [index, cuts] of longStrings.entries()) {
    parts.push(bytes.subarray(from, cuts[0]), Buffer.from(`${placeholder}${index}`))
    from = cuts.at(-1)!
  }
  return Buffer.concat([...parts, bytes.subarray(from)])
}

async function decode(bytes: Buffer, cuts: number[], nextTurn: () => Promise<void>): Promise<string> {
  let text = ''
  for (let i = 1; i < cuts.length; i++) {
    try {
      text += JSON.parse(`"${bytes.toString('utf8', cuts[i - 1], cuts[i])}"`)
    } catch {
      throw invalidField('body', 'is not valid JSON')
    }
    await nextTurn()
  }
  // A whole pair may have been cut in two, so only now. A half becomes U+FFFD, as in every body.
  return text.toWellFormed()
}

/** Puts the long strings in their places. The name of a field cannot be one. */
function withTexts(value: unknown, texts: string[]): unknown {
  if (typeof value === 'string') {
    return value.startsWith(placeholder) ? texts[Number(value.slice(placeholder.length))] : value
  }
  if (typeof value !== 'object' || value === null) return value
  const parts = value as Record<string, unknown>
  for (const name of Object.keys(parts)) parts[name] = withTexts(parts[name], texts)
  return parts
}

/** Deep enough for any request, shallow enough that recursive code downstream cannot overflow the stack. */
const depthMax = 64
/** Far more than any request has. It bounds the time that parsing, checking and hashing a body can take. */
const valuesMax = 2000

const [quote, comma, backslash, letterU] = [0x22, 0x2c, 0x5c, 0x75]
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d]

interface JsonScan {
  /** Goes on up to this byte, and returns what is excessive about the structure, or null. */
  upTo(to: number): string | null
  /** Of each long string: its first byte, places where it can be cut, and its closing quote. */
  longStrings: number[][]
}

/**
 * Walks the bytes of a JSON text without parsing it: how deep it is nested, how many values it has, where its long strings
 * are. For a text that is not JSON the result is meaningless; the parser rejects it at the byte where the scan went wrong.
 */
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
          at = endOfPlain(bytes, at, Math.min(to, lastCut + sliceBytes))
          if (at >= to) break
          const byte = bytes[at]!
          // Not in the middle of a character, nor of an escape, because the scan steps over it.
          if (at - lastCut >= sliceBytes && (byte & 0xc0) !== 0x80) {
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
