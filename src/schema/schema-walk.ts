// Looks inside Zod schemas: which fields an object schema has, what an array schema holds.
// Both the order of messages and the list of ignored fields follow the schema this way; nothing here validates.
import type { z } from 'zod'

/** The part of a schema's definition that leads to another schema. */
interface Inner {
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
}

// Schemas are built from the inside out, so unwrapping ends; the bound only guards against one that refers to itself.
const wrappersMax = 32

/** The schema under `optional`, `nullable`, `default`, `pipe` and the like. */
function unwrap(schema: z.ZodType): z.ZodType {
  let current = schema
  for (let depth = 0; depth < wrappersMax; depth++) {
    const inner = current.def as Inner
    // A pipe that begins with a transform (`preprocess`) describes its wire shape on the way out.
    const next = inner.innerType ?? (inner.in?.def.type === 'transform' ? inner.out : inner.in)
    if (next === undefined) return current
    current = next
  }
  return current
}

/** Field schemas by name where the schema is an object. */
export function fieldsOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined {
  const bare = unwrap(schema)
  return bare.def.type === 'object' ? (bare as z.ZodObject).shape : undefined
}

/** The schema of each item where the schema is an array. */
export function itemOf(schema: z.ZodType): z.ZodType | undefined {
  const bare = unwrap(schema)
  return bare.def.type === 'array' ? ((bare as z.ZodArray).element as z.ZodType) : undefined
}

/** Where a path stands in its schema: field positions and array indexes, comparable from left to right. */
export function positionOf(schema: z.ZodType, path: readonly PropertyKey[]): number[] {
  const position: number[] = []
  let current: z.ZodType | undefined = schema
  for (const step of path) {
    if (typeof step === 'number') {
      position.push(step)
      current = current && itemOf(current)
      continue
    }
    const fields: Readonly<Record<string, z.ZodType>> | undefined = current && fieldsOf(current)
    const index = fields ? Object.keys(fields).indexOf(String(step)) : -1
    position.push(index < 0 ? Number.MAX_SAFE_INTEGER : index)
    current = index < 0 ? undefined : fields?.[String(step)]
  }
  return position
}

export function comparePositions(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const difference = a[at]! - b[at]!
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
