// Reads an operator's JSON file. `${NAME}` in a string is replaced by an environment variable, so that secrets need not
// be in the file. The values are validated elsewhere.
import { readFileSync } from 'node:fs'
import { OperatorError } from './errors.ts'

/** `open` decrypts the strings that are encrypted. Throws an OperatorError that names the file and the place in it. */
export function readJsonFile(
  path: string,
  env: Record<string, string | undefined>,
  open: (text: string) => string = (text) => text,
): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new OperatorError(`${path} cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new OperatorError(`${path} is not JSON: ${(cause as Error).message}`, { cause })
  }
  return mapTexts(value, (text, place) => {
    const filled = text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
      if (env[name] === undefined) throw new OperatorError(`${path} ${place}: the environment has no ${name}`)
      return env[name]
    })
    try {
      return open(filled)
    } catch (cause) {
      throw new OperatorError(`${path}: ${(cause as Error).message}`, { cause })
    }
  })
}

/** Changes every string of a JSON value. `place` is its path, such as `engines.gpu.key`. */
function mapTexts(value: unknown, change: (text: string, place: string) => string, place = ''): unknown {
  if (typeof value === 'string') return change(value, place)
  if (Array.isArray(value)) return value.map((item, i) => mapTexts(item, change, `${place}[${i}]`))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([key, item]) => [key, mapTexts(item, change, place === '' ? key : `${place}.${key}`)]),
  )
}
