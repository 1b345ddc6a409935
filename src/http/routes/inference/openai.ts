// POST /v1/openai/embeddings and GET /v1/openai/models: the embeddings model for clients that speak OpenAI's shape.
import { z } from 'zod'
import { apiError, invalid } from '../../../contract/errors.ts'
import {
  type EmbeddingsResults,
  type OpenAIEmbeddings,
  type OpenAIModels,
  openaiEmbeddings,
  openaiModels,
} from '../../../contract/inference.ts'
import type { Inference } from '../../../inference/inference.ts'
import {
  embeddingInput,
  embeddingInputsMax,
  universalSentenceEncoder,
} from '../../../models/universal-sentence-encoder.ts'
import { unknownFields } from '../../../schema/unknown-fields.ts'
import { parseWith } from '../../../schema/validation.ts'
import { type Route, route } from '../../route.ts'
import { addCreationHeaders, readCreation } from '../../server/creation.ts'
import { hangUpSignal, inferenceBodyBytesMax } from './inference.ts'

const { id: modelId, dimensions, example } = universalSentenceEncoder

const isTokens = (value: unknown) =>
  Array.isArray(value) && value.some((part) => typeof part === 'number' || Array.isArray(part))

const body = z
  .object({
    model: z.string().meta({ examples: [modelId] }),
    input: z
      .unknown()
      .refine(
        (input) => !isTokens(input),
        'token arrays are not supported, because models count tokens differently; send text',
      )
      .pipe(
        z.union([embeddingInput, z.array(embeddingInput).min(1).max(embeddingInputsMax)], {
          error: `must be a text, or an array of 1 to ${embeddingInputsMax} texts, none of them empty or over 8192 characters`,
        }),
      )
      .meta({ description: `A text, or 1 to ${embeddingInputsMax} texts.`, examples: [example.inputs[0]] }),
    encoding_format: z.enum(['float', 'base64']).nullish().meta({ default: 'float' }),
    dimensions: z
      .literal(dimensions, { error: `must be ${dimensions}: the vectors of this model cannot be cut` })
      .nullish(),
    user: z.string().nullish(),
    webhook: z
      .undefined({
        error: 'is not supported by the OpenAI-compatible API; use /v1/inference/<owner>/<model> for callbacks',
      })
      .optional(),
  })
  .meta({ title: 'OpenAI embeddings request' })

export function openaiEmbeddingsRoute({ inference }: { inference: Inference }): Route {
  return route({
    endpoint: 'POST /v1/openai/embeddings',
    operationId: 'createOpenAIEmbeddings',
    summary: 'Embed texts, in the shape of OpenAI',
    description: 'Point an OpenAI client here with the base URL `/v1/openai`.',
    tag: 'OpenAI',
    access: 'key',
    scope: 'tasks:write',
    createsWork: true,
    bodyBytesMax: inferenceBodyBytesMax,
    bodyDocs: body,
    answer: openaiEmbeddings,
    bare: true,
    idempotent: true,
    codes: [402, 404, 408, 505],
    async handler({ caller, request, reply }) {
      const { accepted, idempotency } = readCreation(caller, request, parseWith(body, request.body, ''))
      const { model, input, encoding_format: encoding } = accepted
      if (model !== modelId) throw apiError('no_openai_model', { model, served: modelId })
      const embedding = inference.serve(modelId)!.parse({ inputs: typeof input === 'string' ? [input] : input })
      if (!embedding.ok) throw invalid(embedding.problems)
      const { id: requestId, credits } = await embedding.value.submit(caller, idempotency)
      addCreationHeaders(reply, credits, unknownFields(body, request.body))
      reply.header('x-model-served', modelId)
      const end = await inference.waitForResult(requestId, hangUpSignal(reply))
      if (end === null) await inference.giveUp(requestId)
      return embeddingsAnswer(end, encoding === 'base64')
    },
  })
}

function embeddingsAnswer(end: string | null, asBase64: boolean): OpenAIEmbeddings {
  if (end === null) throw apiError('embeddings_late')
  const { results } = JSON.parse(end) as { results?: EmbeddingsResults }
  if (!results) throw apiError('embeddings_failed')
  return {
    object: 'list',
    data: results.embeddings.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: asBase64 ? base64Of(vector) : vector,
    })),
    model: results.model,
    usage: { prompt_tokens: results.input_tokens, total_tokens: results.input_tokens },
  }
}

/** 32-bit numbers, little-endian, as OpenAI's clients expect them on any machine. */
function base64Of(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes.toString('base64')
}

export function openaiModelsRoute(deps: { startedAtMs: number }): Route {
  const created = Math.floor(deps.startedAtMs / 1000)
  const list: OpenAIModels = { object: 'list', data: [{ id: modelId, object: 'model', created, owned_by: 'google' }] }
  return route({
    endpoint: 'GET /v1/openai/models',
    operationId: 'listOpenAIModels',
    summary: 'List embeddings models, in the shape of OpenAI',
    description: 'The embeddings models under this base URL.',
    tag: 'OpenAI',
    access: 'key',
    scope: 'any',
    answer: openaiModels,
    bare: true,
    handler: async () => list,
  })
}
