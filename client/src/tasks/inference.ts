// Inference requests: what is sent, what comes back.
import { type Connection, type CreateOptions, pathPart, type RequestOptions } from '../transport/connection.ts'
import { randomId } from '../transport/random-id.ts'
import type { EmbeddingsInput, VideoInferenceInput } from './inputs.ts'

export interface InferenceAnswer<Results = InferenceResults> {
  request_id: string
  /** Only while the request is queued. */
  status?: 'queued'
  /** `cost` is in US dollars. Both numbers are 0 unless the request has succeeded. */
  inference_status: { status: 'queued' | 'succeeded' | 'failed'; runtime_ms: number; cost: number }
  /** On success only. */
  results?: Results
}

export interface EmbeddingsResults {
  embeddings: number[][]
  input_tokens: number
  /** The model that served the request. */
  model: string
}

export interface VideoResults {
  video_url: string
  thumbnail_url: string
  seconds: number
  model: string
}

export type InferenceResults = EmbeddingsResults | VideoResults

/** The service answers by itself before; a generous limit only breaks off dead connections. */
const inferMs = 600_000

export type ResultsOf<Input> = Input extends VideoInferenceInput
  ? VideoResults
  : Input extends EmbeddingsInput
    ? EmbeddingsResults
    : InferenceResults

export function infer<Input extends EmbeddingsInput | VideoInferenceInput>(
  connection: Connection,
  model: string,
  body: Input,
  { idempotencyKey, signal }: CreateOptions,
): Promise<InferenceAnswer<ResultsOf<Input>>> {
  return connection.callPlain({
    method: 'POST',
    path: `/v1/inference/${model.split('/').map(pathPart).join('/')}`,
    json: body,
    headers: { 'idempotency-key': idempotencyKey ?? randomId() },
    timeoutMs: inferMs,
    signal,
  })
}

export function readInference(
  connection: Connection,
  requestId: string,
  { signal }: RequestOptions,
): Promise<InferenceAnswer> {
  return connection.callPlain({ method: 'GET', path: `/v1/inference/requests/${pathPart(requestId)}`, signal })
}
