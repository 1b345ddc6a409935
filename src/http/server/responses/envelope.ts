// Responses as JSON: the envelope `{code, msg, data}`, and errors as OpenAI's clients read them.
import type { FastifyReply } from 'fastify'
import type { ApiError, ErrorCode } from '../../../contract/errors.ts'
import { answered } from '../../route.ts'

export const json = 'application/json; charset=utf-8'

export function successBody(data: unknown): string {
  return `{"code":200,"msg":"success","data":${JSON.stringify(data ?? null)}}`
}

/** For codes that HTTP does not know, or knows as something else: 505 would be "HTTP Version Not Supported". */
const statusTexts: Partial<Record<ErrorCode, string>> = {
  408: 'Upstream Issue',
  433: 'Request Limit',
  455: 'Service Unavailable',
  505: 'Feature Disabled',
}

export function sendError(reply: FastifyReply, error: ApiError, body = errorBody(error)): FastifyReply {
  if (error.code === 401) reply.header('www-authenticate', 'Bearer')
  if (error.retryAfterS !== undefined) reply.header('retry-after', String(error.retryAfterS))
  reply.raw.statusMessage = statusTexts[error.code] ?? ''
  return reply.code(error.code).header('content-type', json).send(body)
}

export function errorBody({ code, message, problems }: Pick<ApiError, 'code' | 'message' | 'problems'>): string {
  return JSON.stringify({ code, msg: message, data: null, errors: problems })
}

/** A success that is not in the envelope. */
export function sendJson(reply: FastifyReply, body: string): typeof answered {
  reply.header('content-type', json).send(body)
  return answered
}

/** Whether a path speaks OpenAI's shape. */
export function isOpenaiPath(path: string): boolean {
  return /^\/v1\/(openai|videos)(?=[/?]|$)/.test(path)
}

export function sendOpenaiError(reply: FastifyReply, error: ApiError): FastifyReply {
  // The first wrong field is what OpenAI calls the parameter.
  const param = error.problems?.[0]?.field || null
  const { type, code } = error.openai
  return sendError(reply, error, JSON.stringify({ error: { message: error.message, type, param, code } }))
}
