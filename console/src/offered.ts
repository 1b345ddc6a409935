// What the forms offer: the models and fields of the service without those that an operator has switched off. Pure.
import type { ModelInfo } from './api-types.ts'
import type { JsonSchema } from './json-schema.ts'

/** Fields of an input that need a feature. */
const fieldsOf: Record<string, string[]> = {
  audio: ['audio'],
  elements: ['elements'],
  multi_shots: ['customize_multi_shots', 'prefer_multi_shots', 'multi_prompt', 'aspect_ratio'],
  last_frame: ['tail_image_url'],
}
const resolutions = ['1080p', '4k']

export function offeredModels(models: ModelInfo[], disabled: readonly string[]): ModelInfo[] {
  const off = new Set(disabled)
  const hidden = new Set(disabled.flatMap((name) => fieldsOf[name] ?? []))
  return models
    .filter(({ id, kind }) => kind === 'video' && !off.has(id))
    .map((model) => {
      const properties = Object.entries(model.inputSchema.properties ?? {})
        .filter(([name]) => !hidden.has(name))
        .map(([name, schema]) => [name, offeredField(name, schema, off)] as const)
      return { ...model, inputSchema: { ...model.inputSchema, properties: Object.fromEntries(properties) } }
    })
}

function offeredField(name: string, schema: JsonSchema, off: ReadonlySet<string>): JsonSchema {
  if (name === 'resolution') return withoutChoices(schema, new Set(resolutions.filter((choice) => off.has(choice))))
  const isFrames = name === 'image_url' || name === 'image_urls'
  return isFrames && off.has('last_frame') ? withOneItem(schema) : schema
}

/** The schema, or each of its alternatives, without these values. */
function withoutChoices(schema: JsonSchema, values: ReadonlySet<string>): JsonSchema {
  return {
    ...schema,
    ...(schema.enum ? { enum: schema.enum.filter((choice) => !values.has(String(choice))) } : {}),
    ...(schema.anyOf ? { anyOf: schema.anyOf.map((branch) => withoutChoices(branch, values)) } : {}),
  }
}

function withOneItem(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(schema.maxItems === undefined ? {} : { maxItems: 1 }),
    ...(schema.anyOf ? { anyOf: schema.anyOf.map(withOneItem) } : {}),
  }
}
