// Turns one route into one OpenAPI operation: its parameters, body and responses.
import type { z } from 'zod'
import { type DocumentedRoute, openApiPath, type Route } from '../route.ts'
import { idempotencyKeyCharactersMax, idempotencyKeyDocs } from '../server/creation.ts'
import { errorCodesOf, errorRef, successHeaders } from './responses.ts'
import { collectSchemas, examplesOf, type Json } from './schemas.ts'

export function operationFor(route: DocumentedRoute, shared: Shared): Json {
  const body = route.body ?? route.bodyDocs
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    // An empty list says that this operation needs no key.
    security: route.access === 'open' ? [] : [{ apiKey: [] }],
    parameters: [...pathParameters(route), ...queryParameters(route, shared.schemas), ...headerParameters(route)],
    ...(body ? { requestBody: requestBody(route, body, shared.schemas) } : {}),
    responses: {
      '200': success(route, shared.schemas),
      ...Object.fromEntries(errorCodesOf(route).map((code) => [String(code), errorRef(route, code, shared.responses)])),
    },
  }
}

/** Components that operations refer to; each adds those that it uses. */
export interface Shared {
  schemas: Json
  responses: Json
}

function pathParameters(route: Route): Json[] {
  return [...openApiPath(route.path).matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(route: Route, schemas: Json): Json[] {
  if (!route.query) return []
  const { properties = {}, required = [] } = collectSchemas(route.query, schemas) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...shape } = schema
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

function requestBody(route: DocumentedRoute, body: z.ZodType, schemas: Json): Json {
  const schema = collectSchemas(body, schemas)
  return {
    required: !body.safeParse(undefined).success,
    content: {
      'application/json': {
        schema: nameAlternatives(schema, schemas),
        examples: namedExamples(schema, schemas),
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

/** The examples of a body: of alternatives by their titles, others by the fields that they have. */
function namedExamples(schema: Json, schemas: Json): Json {
  const nameOf = (shape: Json, value: unknown) => (schema.oneOf ? shape.title : Object.keys(value as Json).join(', '))
  const shapes = (schema.oneOf ?? [schema]) as Json[]
  return Object.fromEntries(
    shapes.flatMap((shape) => examplesOf(shape, schemas).map((value) => [nameOf(shape, value), { value }])),
  )
}

/** Alternatives distinguished by `model` become shared schemas, so that clients and pages can pick one by that field. */
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

function success(route: DocumentedRoute, schemas: Json): Json {
  const description = route.summary
  const headers = successHeaders(route)
  if (route.method === 'HEAD') return { description, headers }
  const data = route.answer ? collectSchemas(route.answer, schemas) : {}
  const isWhole = route.bare || route.contentType !== undefined
  const schema = isWhole ? data : envelopeOf(data)
  // Bytes, such as those of a video, have no answer that is declared, and no example.
  const [example] = examplesOf(schema, schemas)
  return { description, headers, content: { [route.contentType ?? 'application/json']: { schema, example } } }
}

const envelopeOf = (data: Json) => ({
  type: 'object',
  required: ['code', 'msg', 'data'],
  properties: { code: { const: 200 }, msg: { const: 'success' }, data },
})
