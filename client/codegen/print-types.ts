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

/** `export type Name = …`, with the descriptions as comments. */
export function printType(name: string, schema: JsonSchema): string {
  return `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')}\n`
}

function typeOf(schema: JsonSchema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
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
