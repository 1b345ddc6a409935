// Inference requests and their results.
import type { EmbeddingsInput, EmbeddingsResults, VideoResults, InferenceAnswer as WireAnswer } from '../contract.ts'
import { type Connection, type CreateOptions, pathPart, type RequestOptions } from '../transport/connection.ts'
import { randomId } from '../transport/random-id.ts'
import type { VideoInferenceInput } from './inputs.ts'

/** The response, with the results of the requested model. */
export type InferenceAnswer<Results = InferenceResults> = Omit<WireAnswer, 'results'> & { results?: Results }

export type InferenceResults = EmbeddingsResults | VideoResults

/** The service responds sooner by itself; this generous limit only ends dead connections. */
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
