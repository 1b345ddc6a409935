// Wire shapes as JSON Schema: shapes that have an id become shared components and are referred to by name.
import { z } from 'zod'

export type Json = { [name: string]: unknown }

/** The JSON Schema of a shape; named ones are added to `schemas`. Wrapped, so that the outermost can be named too. */
export function collectSchemas(schema: z.ZodType, schemas: Json): Json {
  const wrapped = z.toJSONSchema(z.object({ it: schema }), { io: 'input', unrepresentable: 'any' })
  const { $defs = {}, properties } = wrapped as unknown as { $defs?: Record<string, Json>; properties: { it: Json } }
  for (const [name, { id: _id, ...shape }] of Object.entries($defs)) schemas[name] = pointToComponents(shape)
  return pointToComponents(properties.it) as Json
}

/** The examples of a shape: its own, or else one built from the examples of its fields. Optional fields without one are left out. */
export function examplesOf(shape: Json, schemas: Json): unknown[] {
  const { $ref, examples, enum: values, items, required, properties, anyOf, type } = shape as Shape
  if (examples ?? values) return (examples ?? values)!
  if ($ref) return examplesOf(schemas[$ref.slice(componentsPath.length)] as Json, schemas)
  if ('const' in shape) return [shape.const]
  if (items) return [examplesOf(items, schemas).slice(0, 1)]
  if (properties) {
    const shown = Object.entries(properties).filter(([name, field]) => required?.includes(name) || field.examples)
    return [Object.fromEntries(shown.map(([name, field]) => [name, examplesOf(field, schemas)[0]]))]
  }
  const isNullable = anyOf?.some((branch) => branch.type === 'null') || type?.includes('null')
  return isNullable ? [null] : []
}

interface Shape {
  $ref?: string
  examples?: unknown[]
  enum?: unknown[]
  items?: Json
  required?: string[]
  properties?: Record<string, Json>
  anyOf?: Json[]
  type?: string | string[]
}

const componentsPath = '#/components/schemas/'

function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === '$ref' ? String(part).replace('#/$defs/', componentsPath) : pointToComponents(part),
    ]),
  )
}
