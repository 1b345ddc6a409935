// One route → one OpenAPI operation: its parameters, body and answers.
import { z } from 'zod'
import { idempotencyKeyCharactersMax, idempotencyKeyDocs } from '../server/idempotency-key.ts'
import type { Route } from '../server/route.ts'
import { answerExamples, bodyExamples } from './examples.ts'
import { errorCodesOf, errorRef, type Json, successHeaders } from './responses.ts'

export function operationFor(route: Route, schemas: Json): Json {
  const body = route.body ?? route.bodyDocs
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    // An empty list says that this operation needs no key.
    security: route.access === 'open' ? [] : [{ apiKey: [] }],
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(body ? { requestBody: requestBody(route, body, schemas) } : {}),
    responses: {
      '200': success(route, schemas),
      ...Object.fromEntries(errorCodesOf(route).map((code) => [String(code), errorRef(code)])),
    },
  }
}

/** `/a/:id` → `/a/{id}` */
export function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}')
}

/** `GET /api/v1/jobs/:taskId` → `getJobsTaskId` */
function operationId(route: Route): string {
  const words = openApiPath(route.path)
    .replace(/^(\/api)?\/v1\//, '/')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
  return route.method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}

export const exampleKey = (route: Route) => `${route.method} ${route.path}`

/**
 * The JSON Schema of a wire shape. Shapes that have an id of their own go to the shared `schemas` and are referred to;
 * wrapping makes that so for the outermost one too.
 */
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

function pathParameters(route: Route): Json[] {
  return [...openApiPath(route.path).matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(route: Route): Json[] {
  if (!route.query) return []
  const { properties = {}, required = [] } = z.toJSONSchema(route.query, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...shape } = schema as Json
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description ? { description } : {}),
      schema: shape,
    }
  })
}

function headerParameters(route: Route): Json[] {
  if (!route.idempotent) return []
  const schema = { type: 'string', minLength: 1, maxLength: idempotencyKeyCharactersMax }
  return [{ name: 'Idempotency-Key', in: 'header', description: idempotencyKeyDocs, schema }]
}

function requestBody(route: Route, body: z.ZodType, schemas: Json): Json {
  const schema = collectSchemas(body, schemas)
  const examples = { ...examplesInside(schema), ...bodyExamples[exampleKey(route)] }
  return {
    required: true,
    content: {
      'application/json': {
        schema: nameAlternatives(schema, schemas),
        ...(Object.keys(examples).length > 0 ? { examples: asExamples(examples) } : {}),
      },
      ...(route.filePart ? { 'multipart/form-data': { schema: fileForm(route.filePart) } } : {}),
    },
  }
}

const fileForm = (part: string) => ({
  type: 'object',
  required: [part],
  properties: { [part]: { type: 'string', contentMediaType: 'application/octet-stream' } },
})

const asExamples = (examples: Json) =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]))

/** Examples that the alternatives of a body carry themselves, under the alternatives' titles. */
function examplesInside(schema: Json): Json {
  const found: Json = {}
  for (const branch of (schema.oneOf ?? []) as Json[]) {
    const [example] = (branch.examples ?? []) as unknown[]
    if (example !== undefined) found[String(branch.title)] = example
  }
  return found
}

/** Alternatives told apart by `model` become shared schemas, so that clients and pages can pick one by that field. */
function nameAlternatives(schema: Json, schemas: Json): Json {
  const branches = (schema.oneOf ?? []) as Json[]
  const mapping: Record<string, string> = {}
  for (const branch of branches) {
    const model = (branch.properties as { model?: { const?: string } } | undefined)?.model?.const
    if (model === undefined) return schema
    const name = `Create_${model.replace(/[^\w.-]+/g, '_')}`
    schemas[name] = branch
    mapping[model] = `#/components/schemas/${name}`
  }
  if (branches.length === 0) return schema
  return {
    oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
    discriminator: { propertyName: 'model', mapping },
  }
}

function success(route: Route, schemas: Json): Json {
  const description = 'Done.'
  const headers = successHeaders(route)
  if (route.method === 'HEAD') return { description, headers }
  if (route.plainAnswer) {
    const { type, schema } = route.plainAnswer
    return { description, headers, content: { [type]: schema ? { schema: collectSchemas(schema, schemas) } : {} } }
  }
  const data = route.answer ? collectSchemas(route.answer, schemas) : {}
  const example = answerExamples[exampleKey(route)]
  // Successes below /v1 are what they are; everything else comes in the envelope.
  const isBare = route.path.startsWith('/v1/')
  return {
    description,
    headers,
    content: {
      'application/json': {
        schema: isBare ? data : envelopeOf(data),
        ...(example === undefined ? {} : { example: isBare ? example : { code: 200, msg: 'success', data: example } }),
      },
    },
  }
}

const envelopeOf = (data: Json) => ({
  type: 'object',
  required: ['code', 'msg', 'data'],
  properties: { code: { const: 200 }, msg: { const: 'success' }, data },
})
