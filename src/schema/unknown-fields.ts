// The fields of a request that its schema does not know: they are named in records, and nothing of them is stored.
import type { z } from 'zod'
import { fieldsOf, itemOf } from './schema-walk.ts'
import { cutName } from './validation.ts'

/** More unknown fields than this are not listed. */
const unknownFieldsMax = 100

/**
 * Paths such as `foo`, `input.bar` and `input.elements[0].baz`. Goes only as deep as the schema, so the shape of the
 * body cannot make it run away.
 */
export function unknownFields(schema: z.ZodType, body: unknown): string[] {
  const found: string[] = []
  collect(schema, body, '', found)
  return found
}

function collect(schema: z.ZodType, value: unknown, path: string, found: string[]): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    const item = itemOf(schema)
    // Items that can hold no fields of their own need no walk.
    if (item === undefined || (fieldsOf(item) === undefined && itemOf(item) === undefined)) return
    for (let index = 0; index < value.length && found.length < unknownFieldsMax; index++) {
      collect(item, value[index], `${path}[${index}]`, found)
    }
    return
  }
  const fields = fieldsOf(schema)
  if (fields === undefined) return
  for (const name of Object.keys(value)) {
    if (found.length >= unknownFieldsMax) return
    // Own fields only: `constructor` or `__proto__` must not be found on a prototype.
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const fieldPath = path === '' ? cutName(name) : `${path}.${cutName(name)}`
    if (field === undefined) found.push(fieldPath)
    else collect(field, (value as Record<string, unknown>)[name], fieldPath, found)
  }
}

/** The body as far as the schema knows it, for storing, and the names of the other fields. */
export function splitFields(schema: z.ZodType, body: unknown): { body: unknown; ignoredFields: string[] } {
  return { body: knownFields(schema, body), ignoredFields: unknownFields(schema, body) }
}

/** Goes only as deep as the schema. */
function knownFields(schema: z.ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const item = itemOf(schema)
    return item === undefined ? value : value.map((each) => knownFields(item, each))
  }
  const fields = fieldsOf(schema)
  if (fields === undefined) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      Object.hasOwn(fields, name) ? [[name, knownFields(fields[name]!, part)]] : [],
    ),
  )
}
