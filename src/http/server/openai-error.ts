// Errors as OpenAI's clients read them, for the paths that speak OpenAI's shape.
import type { FastifyReply } from 'fastify'
import type { ApiError, ErrorCode } from '../../platform/errors.ts'
import { sendError } from './envelope.ts'

export const openaiPrefix = '/v1/openai/'

const kinds: Partial<Record<ErrorCode, { type: string; code: string }>> = {
  401: { type: 'invalid_request_error', code: 'invalid_api_key' },
  402: { type: 'insufficient_quota', code: 'insufficient_quota' },
  404: { type: 'invalid_request_error', code: 'not_found' },
  422: { type: 'invalid_request_error', code: 'invalid_value' },
  429: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  433: { type: 'insufficient_quota', code: 'key_limit_reached' },
  505: { type: 'invalid_request_error', code: 'feature_disabled' },
}

/** A model that the caller names and nobody has. */
export class ModelNotFound extends Error {}

export function sendOpenaiError(reply: FastifyReply, error: ApiError): FastifyReply {
  const kind = kinds[error.code] ?? { type: 'server_error', code: 'server_error' }
  const code = error.cause instanceof ModelNotFound ? 'model_not_found' : kind.code
  // Problems of a body read `field: what is wrong`; the first one is what OpenAI calls the parameter.
  const param = error.code === 422 ? (/^([\w.[\]-]+): /.exec(error.message)?.[1] ?? null) : null
  const body = { error: { message: error.message, type: kind.type, param, code } }
  return sendError(reply, error, JSON.stringify(body))
}
