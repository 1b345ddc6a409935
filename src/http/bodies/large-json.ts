// Parses a JSON text of many mebibytes that consists mostly of long strings, such as files in base64. The strings are
// decoded slice by slice, with turns for other requests in between; only the rest is parsed in one go.
import { randomBytes } from 'node:crypto'
import { invalidField } from '../../contract/errors.ts'
import { createJsonScan } from './json-scan.ts'

/** Texts larger than a slice are read in slices. */
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
  // A whole pair may have been cut in two, so only now: see well-formed.ts.
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
