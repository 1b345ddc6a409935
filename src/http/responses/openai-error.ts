// Errors as OpenAI's clients read them, for the paths that speak OpenAI's shape.
import type { FastifyReply } from 'fastify'
import type { ApiError } from '../../contract/errors.ts'
import { sendError } from './envelope.ts'

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
