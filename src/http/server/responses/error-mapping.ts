// Maps any error of a request to an error of the catalogue. Stacks, SQL and paths never reach a client.
import type { FastifyRequest } from 'fastify'
import { ApiError, apiError, invalid, invalidField } from '../../../contract/errors.ts'
import { DatabaseBusy } from '../../../db/db.ts'
import type { Problem } from '../../../schema/problem.ts'

/** Fastify's own errors by their code, as problems for the client. */
const requestErrors: Record<string, (request: FastifyRequest) => Problem> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: contentTypeProblem,
  FST_ERR_CTP_EMPTY_TYPE: contentTypeProblem,
  FST_ERR_CTP_EMPTY_JSON_BODY: () => ({ field: 'body', message: 'must be a JSON object' }),
  FST_ERR_CTP_INVALID_JSON_BODY: () => ({ field: 'body', message: 'is not valid JSON' }),
  FST_ERR_CTP_BODY_TOO_LARGE: ({ routeOptions }) => ({
    field: 'body',
    message: `is larger than allowed (at most ${sizeText(routeOptions.bodyLimit)})`,
  }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => ({ field: 'content-length', message: 'does not match the body' }),
}

function contentTypeProblem({ routeOptions }: FastifyRequest): Problem {
  const message = `must be application/json${routeOptions.config.acceptsForm ? ' or multipart/form-data' : ''}`
  return { field: 'content-type', message }
}

const sizeText = (bytes: number) =>
  bytes < 2 ** 20 ? `${Math.floor(bytes / 2 ** 10)} kB` : `${Math.floor(bytes / 2 ** 20)} MB`

/** Paths that cannot be parsed. */
const unroutable = new Set(['FST_ERR_BAD_URL', 'FST_ERR_ASYNC_CONSTRAINT', 'FST_ERR_MAX_PARAM_LENGTH'])

export function toApiError(error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code && unroutable.has(code)) return apiError('no_path')
  const requestError = code === undefined ? undefined : requestErrors[code]
  if (requestError) return invalid([requestError(request)])
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return invalidField('request', 'could not be read')
  if (error instanceof DatabaseBusy) return apiError('overloaded', { retryAfterS: 1, cause: error })
  return apiError('unexpected', { requestId: request.id, cause: error })
}
