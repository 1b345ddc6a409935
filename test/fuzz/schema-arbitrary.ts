// JSON Schema → values that keep to it, so that what a fuzz test sends comes from the schemas that we publish.
import fc from 'fast-check'

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema is a tree of anything
export type JsonSchema = any

/** Any character, halves of surrogate pairs included. */
const character = fc
  .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.nat(0xffff), fc.integer({ min: 0x1_0000, max: 0x10_ffff }))
  .map((code) => String.fromCodePoint(code))

const shortText = fc.oneof(
  fc.constantFrom('a boat', 'x', ' ', '', '@dog runs', '5', '0.3', '😀 smile', 'a "quoted" \\ text', '%_', '日本語'),
  fc.string({ unit: character, maxLength: 30 }),
)

/** A value for a schema; parts that are not understood become any JSON value. */
export function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema === true || schema === undefined) return fc.jsonValue({ maxDepth: 2 })
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives)
    return fc.oneof(...alternatives.map((part: JsonSchema) => arbitraryOf({ ...without(schema), ...part })))
  switch (schema.type) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return fc.array(arbitraryOf(schema.items), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 6),
      })
    case 'string':
      return textOf(schema)
    case 'integer':
      return fc.integer({ min: Math.max(schema.minimum ?? 0, -1e9), max: Math.min(schema.maximum ?? 100, 1e9) })
    case 'number':
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 100, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

/** What alternatives inherit: bounds and the like, but not the choice itself. */
function without({ anyOf: _any, oneOf: _one, ...rest }: JsonSchema): JsonSchema {
  return rest
}

function objectOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, part]) => [name, arbitraryOf(part)] as const)
  const required = ((schema.required ?? []) as string[]).filter((name) => schema.properties?.[name] !== undefined)
  return fc.record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true })
}

function textOf(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.format === 'uri') {
    // Nothing but loopback: some of these are called.
    const urls = [
      'http://127.0.0.1:9/a.png',
      'https://127.0.0.1:9/b.jpg?x=1#y',
      'HTTP://[::1]:9/ü',
      'http://127.0.0.1:9/%zz',
    ]
    return fc.oneof(
      fc.constantFrom(...urls),
      fc.webPath().map((path) => `http://127.0.0.1:9/${path}`),
    )
  }
  if (schema.pattern)
    return fc.oneof(shortText, fc.constantFrom('0190a0a0-0000-7000-8000-000000000000', 'a name', '1', '100'))
  const { minLength = 0, maxLength = 100 } = schema as { minLength?: number; maxLength?: number }
  // Now and then as long as it may be, to the character.
  const longest = fc.constant('w'.repeat(Math.min(maxLength, 4000)))
  return fc.oneof(
    { weight: 20, arbitrary: shortText.filter((text) => text.length >= minLength) },
    { weight: 1, arbitrary: longest },
  )
}
