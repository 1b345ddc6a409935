// Inference requests: their response, which is also the body of their callback, and OpenAI's shape of embeddings.
import { z } from 'zod'
import { example } from './example-values.ts'
import { failReason } from './tasks/fail-reasons.ts'

const inferenceFailures = [...failReason.options, 'too_few_credits'] as const

const model = z
  .string()
  .meta({ description: 'The model that served the request.', examples: [example.embeddingsModel] })
const exampleVector = [0.0132, -0.0471, 0.0256]

export const embeddingsResults = z
  .object({ embeddings: z.array(z.array(z.number())), input_tokens: z.int(), model })
  .meta({ id: 'EmbeddingsResults' })

export const videoResults = z
  .object({ video_url: z.string(), thumbnail_url: z.string(), seconds: z.number(), model })
  .meta({ id: 'VideoResults' })

export const inferenceAnswer = z
  .object({
    request_id: z.string().meta({ examples: [example.requestId] }),
    status: z.literal('queued').optional().meta({ description: 'Only while the request is queued.' }),
    inference_status: z.object({
      status: z.enum(['queued', 'succeeded', 'failed']).meta({ examples: ['succeeded'] }),
      runtime_ms: z.int().meta({ description: '0 unless succeeded.', examples: [12] }),
      cost: z.number().meta({ description: 'US dollars; 0 unless succeeded.', examples: [0.005] }),
    }),
    results: z
      .union([embeddingsResults, videoResults])
      .optional()
      .meta({
        description: 'On success only.',
        examples: [{ embeddings: [exampleVector], input_tokens: 6, model: example.embeddingsModel }],
      }),
    embeddings: embeddingsResults.shape.embeddings
      .optional()
      .meta({ description: 'The same as in `results`; only in the response to a request that waited for embeddings.' }),
    input_tokens: embeddingsResults.shape.input_tokens.optional().meta({ description: 'As `embeddings`.' }),
    error: z
      .object({ reason: z.enum(inferenceFailures), message: z.string() })
      .optional()
      .meta({ description: 'Why the request failed; only where a failed request is read again.' }),
  })
  .meta({ id: 'InferenceAnswer' })

export const openaiEmbeddings = z
  .object({
    object: z.literal('list'),
    data: z.array(
      z.object({
        object: z.literal('embedding'),
        index: z.int().meta({ examples: [0] }),
        embedding: z
          .union([z.array(z.number()), z.string()])
          .meta({ description: 'Numbers, or base64 if requested.', examples: [exampleVector] }),
      }),
    ),
    model,
    usage: z.object({ prompt_tokens: z.int().meta({ examples: [6] }), total_tokens: z.int().meta({ examples: [6] }) }),
  })
  .meta({ id: 'OpenAIEmbeddings' })

export const openaiModels = z
  .object({
    object: z.literal('list'),
    data: z.array(
      z.object({
        id: z.string().meta({ examples: [example.embeddingsModel] }),
        object: z.literal('model'),
        created: z.int().meta({ examples: [example.createdMs / 1000] }),
        owned_by: z.string().meta({ examples: ['google'] }),
      }),
    ),
  })
  .meta({ id: 'OpenAIModels' })

export type InferenceAnswer = z.output<typeof inferenceAnswer>
export type EmbeddingsResults = z.output<typeof embeddingsResults>
export type VideoResults = z.output<typeof videoResults>
export type OpenAIEmbeddings = z.output<typeof openaiEmbeddings>
export type OpenAIModels = z.output<typeof openaiModels>
