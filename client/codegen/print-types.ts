// JSON Schema → TypeScript types. Knows the part of JSON Schema that the contract's schemas are made of.

export interface JsonSchema {
  $ref?: string
  description?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
}

/** `export type Name = …`, with the descriptions as comments. `shapes` are all that have a name. */
export function printType(name: string, schema: JsonSchema, shapes: Record<string, JsonSchema>): string {
  const base = baseOf(name, schema, shapes)
  const type = base === null ? typeOf(schema, '') : `${base.name} & ${typeOf(base.rest, '')}`
  return `${comment(schema.description, '')}export type ${name} = ${type}\n`
}

/** Fewer fields in common may be chance. */
const commonFieldsMin = 3

/** The shape that this one extends, which has all its fields and in the same order, and the other fields. */
function baseOf(name: string, schema: JsonSchema, shapes: Record<string, JsonSchema>) {
  const fields = Object.entries(schema.properties ?? {})
  for (const [other, { properties = {} }] of Object.entries(shapes)) {
    const count = Object.keys(properties).length
    if (other === name || count < commonFieldsMin || count >= fields.length) continue
    if (JSON.stringify(properties) !== JSON.stringify(Object.fromEntries(fields.slice(0, count)))) continue
    return { name: other, rest: { ...schema, properties: Object.fromEntries(fields.slice(count)) } }
  }
  return null
}

/** Numbers that are also accepted as text have a type of their own, which `enumType` uses. */
export const numericType = `/** A number, or the same number as text. */
export type Numeric<N extends number> = N | \`\${N}\`
`

function enumType(values: unknown[]): string {
  const numbers = values.filter((value) => typeof value === 'number')
  const isNumeric = numbers.length * 2 === values.length && numbers.every((number) => values.includes(String(number)))
  return isNumeric ? `Numeric<${numbers.join(' | ')}>` : values.map(literal).join(' | ')
}

function typeOf(schema: JsonSchema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return enumType(schema.enum)
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return [...new Set(branches.map((branch) => typeOf(branch, indent)))].join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ')
  switch (schema.type) {
    case 'object':
      return objectType(schema, indent)
    case 'array':
      return arrayOf(typeOf(schema.items ?? {}, indent))
    case 'integer':
      return 'number'
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type
    default:
      return 'unknown'
  }
}

const arrayOf = (item: string) => (/^[\w.]+$/.test(item) || item.endsWith('[]') ? `${item}[]` : `Array<${item}>`)

function objectType(schema: JsonSchema, indent: string): string {
  const inner = `${indent}  `
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const optional = schema.required?.includes(name) ? '' : '?'
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
    return `${comment(field.description, inner)}${inner}${key}${optional}: ${typeOf(field, inner)}\n`
  })
  const more = schema.additionalProperties
  if (fields.length === 0 && typeof more === 'object') return `Record<string, ${typeOf(more, indent)}>`
  if (more !== undefined && more !== false) fields.push(`${inner}[name: string]: unknown\n`)
  return `{\n${fields.join('')}${indent}}`
}

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : JSON.stringify(value)

const comment = (text: string | undefined, indent: string) =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`
