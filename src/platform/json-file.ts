// Reads a JSON file of the operator's. `${NAME}` in a text stands for a variable of the environment, so that secrets
// need not lie in the file. What the values mean is checked elsewhere.
import { readFileSync } from 'node:fs'
import { OperatorError } from './errors.ts'

/** Throws an OperatorError that names the file and the place. */
export function readJsonFile(path: string, env: Record<string, string | undefined>): unknown {
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
  return fillVariables(value, env, (place, name) => {
    throw new OperatorError(`${path} ${place}: the environment has no ${name}`)
  })
}

/** The value with every `${NAME}` in its texts replaced. `missing` is told the place, such as `engines.gpu.key`. */
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
