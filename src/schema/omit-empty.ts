// An empty string in an optional field means that the field is left out: forms and many clients send it for "nothing".
import type { z } from 'zod'
import { fieldsOf, itemOf } from './schema-walk.ts'

/** The value without such fields, at every depth of the schema. Copies only the objects that it changes. */
export function omitEmpty(schema: z.ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const item = itemOf(schema)
    // Items without fields of their own need no walk.
    if (item === undefined || fieldsOf(item) === undefined) return value
    const items = value.map((each) => omitEmpty(item, each))
    return items.every((each, index) => each === value[index]) ? value : items
  }
  const fields = fieldsOf(schema)
  if (fields === undefined) return value
  let copy: Record<string, unknown> | undefined
  for (const [name, field] of Object.entries(fields)) {
    if (!Object.hasOwn(value, name)) continue
    const before = (value as Record<string, unknown>)[name]
    const isOmitted = before === '' && field.safeParse(undefined).success
    const after = isOmitted ? undefined : omitEmpty(field, before)
    if (after === before) continue
    copy ??= { ...value }
    if (isOmitted) delete copy[name]
    else copy[name] = after
  }
  return copy ?? value
}
