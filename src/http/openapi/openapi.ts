// The OpenAPI 3.1 document, made from the routes' own declarations. Owns the document's frame: who serves it, its tags,
// what several operations share. One operation is http/openapi-operation.ts, its errors http/openapi-responses.ts.
import { z } from 'zod'
import { unifiedRecordAnswer } from '../routes/tasks/records.ts'
import type { Route } from '../server/route.ts'
import { collectSchemas, openApiPath, operationFor } from './operation.ts'
import { errorResponses, type Json, responseHeaders } from './responses.ts'

const tags: Record<string, string> = {
  Tasks: 'Create videos, follow them and read what came of them.',
  Files: 'Bring material, and fetch results. A file answers to whoever has its URL, until it expires.',
  Inference: 'Run a model and get its result in the answer, or by a callback.',
  OpenAI: "Embeddings in the shape of OpenAI's API, and its error bodies.",
  Webhooks: 'Callbacks of this account: their deliveries and the secret they are signed with. Not for sub-keys.',
  Models: 'What can be asked for.',
  Account: 'Credits: the balance, every entry behind it, and use.',
  Keys: 'Sub-keys with limits of their own. Not for sub-keys themselves.',
  Operator: 'What an operator sees and switches. For keys with the operator right; not found for others.',
  Health: 'For whoever watches the service.',
  Documentation: 'This document.',
}

const description = `Turns images into short videos as asynchronous tasks.

Every answer under \`/api/v1\` is \`{code, msg, data}\`; the HTTP status is the same number as \`code\`. Errors have
\`data\` null and say in \`msg\` what is wrong; a 422 names every wrong field.

A task that fails later does not fail its request: its record is answered with 200 and carries \`failCode\` (408, 422,
451, 500 or 501), \`failMsg\` and \`failReason\`, and its credits are given back.`

export function buildOpenApi(routes: Route[], about: { publicUrl: string; version: string }): Json {
  const shown = routes.filter((route) => !route.hidden)
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const route of shown) {
    const path = openApiPath(route.path)
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operationFor(route, schemas)
  }
  const names = [...Object.keys(tags), ...shown.map((route) => route.tag)]
  const used = [...new Set(names)].filter((name) => shown.some((route) => route.tag === name))
  return {
    openapi: '3.1.1',
    info: {
      title: 'Dailies',
      version: about.version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.publicUrl }],
    tags: used.map((name) => ({ name, ...(tags[name] ? { description: tags[name] } : {}) })),
    paths,
    webhooks: { taskEnded: taskEnded(schemas) },
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer dk_…`' },
      },
      schemas: { ...schemas, Error: errorSchema },
      responses: errorResponses,
      headers: responseHeaders,
    },
  }
}

const errorSchema = {
  type: 'object',
  required: ['code', 'msg', 'data'],
  properties: {
    code: { type: 'integer', description: 'The HTTP status, once more.' },
    msg: { type: 'string', description: 'What is wrong, in words.' },
    data: { type: 'null' },
  },
}

const text = (description: string) => ({ required: true, schema: { type: 'string' }, description })

function taskEnded(schemas: Json): Json {
  const payload = collectSchemas(
    z.object({
      code: z.int().meta({ description: '200, or the number of the failure.' }),
      msg: z.string(),
      data: unifiedRecordAnswer,
    }),
    schemas,
  )
  return {
    post: {
      operationId: 'taskEnded',
      tags: ['Tasks'],
      summary: 'A task with a callBackUrl has ended',
      description:
        'Sent to the `callBackUrl` of a task once it has ended, and again until it is answered with 2xx. Signed as the ' +
        'Standard Webhooks specification says.',
      security: [],
      parameters: [
        { name: 'webhook-id', in: 'header', ...text('The same for every try of one delivery.') },
        { name: 'webhook-timestamp', in: 'header', ...text('Seconds since 1970.') },
        { name: 'webhook-signature', in: 'header', ...text('`v1,` and an HMAC-SHA256 in base64.') },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: payload } } },
      responses: { '2XX': { description: 'Delivered. Anything else is tried again.' } },
    },
  }
}
