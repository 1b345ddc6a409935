// The part of JSON Schema that the models' input schemas use, and how to look through its optional forms.

export interface JsonSchema {
  type?: string | string[]
  title?: string
  description?: string
  default?: unknown
  enum?: unknown[]
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  multipleOf?: number
  minItems?: number
  maxItems?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  anyOf?: JsonSchema[]
}

/** The schema without its `null` alternative, description and default kept. */
export function plainSchema(schema: JsonSchema): JsonSchema {
  const [only, ...others] = (schema.anyOf ?? []).filter((branch) => branch.type !== 'null')
  if (only === undefined || others.length > 0) return schema
  const { anyOf: _anyOf, ...outer } = schema
  return { ...plainSchema(only), ...outer }
}

export function hasType(schema: JsonSchema, type: string): boolean {
  return Array.isArray(schema.type) ? schema.type.includes(type) : schema.type === type
}

/** The allowed values as texts, each once: a numeric enum also lists its numbers. */
export function choicesOf(schema: JsonSchema): string[] | null {
  return schema.enum ? [...new Set(schema.enum.map(String))] : null
}

/** Whole numbers without a gap, as bounds. */
export function rangeOf(choices: string[]): { min: number; max: number } | null {
  const numbers = choices.map(Number)
  const first = numbers[0]
  if (first === undefined || numbers.length < 4) return null
  return numbers.every((number, index) => number === first + index)
    ? { min: first, max: first + numbers.length - 1 }
    : null
}
