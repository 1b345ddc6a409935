// Reads an operator's JSON file. `${NAME}` in a string is replaced by an environment variable, so that secrets need not
// be in the file. The values are validated elsewhere.
import { readFileSync } from 'node:fs'
import { OperatorError } from './errors.ts'

/** Throws an OperatorError that names the file and the place in it. */
export function readJsonFile(
  path: string,
  env: Record<string, string | undefined>,
  /** Decrypts the strings that are encrypted. */
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
  const filled = fillVariables(value, env, (place, name) => {
    throw new OperatorError(`${path} ${place}: the environment has no ${name}`)
  })
  return mapTexts(filled, (text) => {
    try {
      return open(text)
    } catch (cause) {
      throw new OperatorError(`${path}: ${(cause as Error).message}`, { cause })
    }
  })
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}

/** Replaces every `${NAME}` in the value's strings. `missing` is called with the place, such as `engines.gpu.key`. */
export function fillVariables(
  value: unknown,
  env: Record<string, string | undefined>,
  missing: (place: string, name: string) => never,
  place = '',
): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => env[name] ?? missing(place, name))
  }
  if (Array.isArray(value)) return value.map((item, i) => fillVariables(item, env, missing, `${place}[${i}]`))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      fillVariables(item, env, missing, place === '' ? key : `${place}.${key}`),
    ]),
  )
}
