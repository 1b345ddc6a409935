// POST /v1/inference/:owner/:name and GET /v1/inference/requests/:requestId
import type { FastifyReply } from 'fastify'
import { apiError } from '../../../contract/errors.ts'
import { inferenceAnswer } from '../../../contract/inference.ts'
import type { Inference, InferenceRequest } from '../../../inference/inference.ts'
import { queuedPayload } from '../../../inference/payload.ts'
import { universalSentenceEncoder } from '../../../models/universal-sentence-encoder.ts'
import type { Parsed } from '../../../schema/validation.ts'
import type { AfterResponse } from '../../../webhooks/after-response.ts'
import { type answered, type Route, route } from '../../route.ts'
import { addCreationHeaders, readCreation } from '../../server/creation.ts'
import { sendJson } from '../../server/responses/envelope.ts'
import { whenClosed } from '../../server/responses/open-responses.ts'

/** A request may have many texts. */
export const inferenceBodyBytesMax = 2 ** 20

export interface InferenceRouteDeps {
  inference: Inference
  afterResponse: Pick<AfterResponse, 'begin'>
}

export function inferenceRoute({ inference, afterResponse }: InferenceRouteDeps): Route {
  return route({
    endpoint: 'POST /v1/inference/:owner/:name',
    operationId: 'runInference',
    summary: 'Run an inference request',
    description:
      'With `webhook` the response says that the request is queued, and the result is sent there by a signed POST. Without it, the response waits for the result; a client that disconnects cancels the request. A well-formed path that is not in the catalogue is served by the default model, which the header `x-model-served` names. Video models take `{input, webhook?}`.',
    tag: 'Inference',
    access: 'key',
    scope: 'tasks:write',
    createsWork: true,
    idempotent: true,
    bodyBytesMax: inferenceBodyBytesMax,
    bodyDocs: universalSentenceEncoder.bodySchema,
    answer: inferenceAnswer,
    bare: true,
    codes: [402, 505],
    async handler({ caller, params, request, reply }) {
      const path = modelPath(params)
      const model = inference.serve(path)
      const isVideoRequest = typeof request.body === 'object' && request.body !== null && 'input' in request.body
      if (isVideoRequest && model?.id !== path && !(model && inference.isVideoModel(model.id))) {
        throw apiError('no_video_model', { path, served: inference.videoModels() })
      }
      const parsed: Parsed<InferenceRequest | null> = model
        ? model.parse(request.body)
        : parseWithoutModel(request.body)
      const explained = model ? explainDefault(parsed, path, model.id) : parsed
      const { accepted, idempotency } = readCreation(caller, request, explained, `/v1/inference/${path}`)
      if (!model || !accepted) throw apiError('no_model')
      reply.header('x-model-served', model.id)
      const announced = accepted.callBackUrl === null ? null : afterResponse.begin(reply.raw)
      const { id: requestId, credits } = await accepted.submit(caller, idempotency)
      addCreationHeaders(reply, credits, accepted.ignoredFields)
      if (announced) {
        announced.announces(requestId)
        return sendQueued(reply, requestId)
      }
      const end = await inference.waitForResult(requestId, hangUpSignal(reply))
      return end === null ? sendQueued(reply, requestId) : sendJson(reply, end)
    },
  })
}

export function inferenceRequestRoute({ inference }: InferenceRouteDeps): Route {
  return route({
    endpoint: 'GET /v1/inference/requests/:requestId',
    operationId: 'getInference',
    summary: 'Read an inference request',
    description: 'The same shape as the response of the request and the body of its callback.',
    tag: 'Inference',
    access: 'key',
    scope: 'tasks:read',
    answer: inferenceAnswer,
    bare: true,
    async handler({ caller, params, reply }) {
      const { model, json } = await inference.read(caller, params.requestId!)
      reply.header('x-model-served', model)
      return sendJson(reply, json)
    },
  })
}

/** The contract fixes the body, so a header says where the request can be read. */
function sendQueued(reply: FastifyReply, requestId: string): typeof answered {
  reply.header('location', `/v1/inference/requests/${requestId}`)
  return sendJson(reply, JSON.stringify(queuedPayload(requestId)))
}

/** `<owner>/<name>`; anything else is no path of a model. */
function modelPath({ owner, name }: Record<string, string>): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a path may hold them escaped
  const isPart = (part: string | undefined) => part !== undefined && /^[^\s/\u0000-\u001f\u007f]{1,200}$/.test(part)
  if (!isPart(owner) || !isPart(name)) throw apiError('no_path')
  return `${owner}/${name}`
}

/** Names the model that served the request, for a client that meant another one. */
function explainDefault<T>(parsed: Parsed<T>, path: string, model: string): Parsed<T> {
  if (parsed.ok || path === model) return parsed
  const message = `${path} is not in the catalogue, and is served by ${model}`
  return { ok: false, problems: [...parsed.problems, { field: '', message }] }
}

/** Without a model, only an object is required. */
function parseWithoutModel(body: unknown): Parsed<null> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ok: true, value: null }
  return { ok: false, problems: [{ field: 'body', message: 'must be a JSON object' }] }
}

/** Aborts when the client disconnects before its response was sent. */
export function hangUpSignal(reply: FastifyReply): AbortSignal {
  const disconnected = new AbortController()
  whenClosed(reply.raw, () => {
    if (!reply.raw.writableEnded) disconnected.abort(new Error('the client disconnected'))
  })
  return disconnected.signal
}
