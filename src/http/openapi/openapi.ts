// The OpenAPI 3.1 document, made from the routes' own declarations. Owns the document's frame: its tags and what several
// operations share. One operation is operation.ts, its errors responses.ts.
import type { z } from 'zod'
import { errorBody, openaiErrorBody } from '../../contract/errors.ts'
import { inferenceAnswer } from '../../contract/inference.ts'
import { taskCallback } from '../../contract/tasks/records.ts'
import { openApiPath, type Route } from '../route.ts'
import { operationFor } from './operation.ts'
import { responseHeaders } from './responses.ts'
import { collectSchemas, type Json } from './schemas.ts'

const tags: Record<string, string> = {
  Tasks: 'Create videos, follow them and read the results.',
  Files: 'Upload input files and fetch results. A file can be read by anyone who has its URL, until it expires.',
  Inference: 'Run a model and get its result in the response, or by a callback.',
  OpenAI: "Embeddings and videos in the shape of OpenAI's API, with its error bodies.",
  Webhooks: 'Callbacks of this account: their deliveries and the secret they are signed with. Not for sub-keys.',
  Models: 'The models that requests can name.',
  Account: 'Credits: the balance, every ledger entry, and usage.',
  Keys: 'Sub-keys with limits of their own. Not for sub-keys themselves.',
  Operator: 'Status and switches of the service. For keys with the operator right; 404 for others.',
  Health: 'For monitoring.',
  Documentation: 'This document.',
}

const description = `Turns images into short videos as asynchronous tasks.

Every response under \`/api/v1\` is \`{code, msg, data}\`; the HTTP status is the same number as \`code\`. Errors have
\`data\` null and say in \`msg\` what is wrong; a 422 names every wrong field.

A task that fails later does not fail its request: its record is returned with 200 and carries \`failCode\` (408, 422,
451, 500 or 501), \`failMsg\` and \`failReason\`, and its credits are released.`

/** Without `servers`. */
export function buildOpenApi(routes: Route[], version: string): Json {
  const schemas: Json = {}
  const responses: Json = {}
  const paths: Record<string, Json> = {}
  const used = new Set<string>()
  for (const route of routes) {
    if (route.operationId === undefined) continue
    const path = openApiPath(route.path)
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operationFor(route, { schemas, responses })
    used.add(route.tag)
  }
  collectSchemas(errorBody, schemas)
  collectSchemas(openaiErrorBody, schemas)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Dailies',
      version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks: {
      taskEnded: callback(taskCallback, schemas, {
        operationId: 'taskEnded',
        tags: ['Tasks'],
        summary: 'A task with a callBackUrl has ended',
      }),
      inferenceEnded: callback(inferenceAnswer, schemas, {
        operationId: 'inferenceEnded',
        tags: ['Inference'],
        summary: 'An inference request with a webhook has ended',
      }),
    },
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer dk_…`' },
      },
      schemas,
      responses,
      headers: responseHeaders,
    },
  }
}

const text = (description: string) => ({ required: true, schema: { type: 'string' }, description })

function callback(payload: z.ZodType, schemas: Json, about: Json): Json {
  return {
    post: {
      ...about,
      description:
        'Sent when it has ended, and retried until the receiver responds with 2xx. Signed according to Standard Webhooks.',
      security: [],
      parameters: [
        { name: 'webhook-id', in: 'header', ...text('The same for every attempt of one delivery.') },
        { name: 'webhook-timestamp', in: 'header', ...text('Seconds since 1970.') },
        { name: 'webhook-signature', in: 'header', ...text('`v1,` and an HMAC-SHA256 in base64.') },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: collectSchemas(payload, schemas) } } },
      responses: { '2XX': { description: 'Delivered. Any other response leads to another attempt.' } },
    },
  }
}
