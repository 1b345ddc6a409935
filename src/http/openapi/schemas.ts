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

function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === '$ref' ? String(part).replace('#/$defs/', '#/components/schemas/') : pointToComponents(part),
    ]),
  )
}
