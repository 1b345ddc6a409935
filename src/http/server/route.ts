// What a route is: one declaration gives the handler, the checks before it, the answer's envelope and the OpenAPI text.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Principal } from '../../accounts/authenticate.ts'
import type { ErrorCode } from '../../contract/errors.ts'

/** `key`: any API key. `main-key`: not a sub-key. `operator`: a key with the operator right. `open`: nobody is asked. */
export type Access = 'key' | 'main-key' | 'operator' | 'open'

export interface RouteCall<Query = unknown, Body = unknown> {
  caller: Principal
  query: Query
  body: Body
  params: Record<string, string>
  request: FastifyRequest
  reply: FastifyReply
}

export interface Route<Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType> {
  method: 'GET' | 'POST' | 'DELETE' | 'HEAD'
  /** `:name` marks a parameter. */
  path: string
  summary: string
  description?: string
  tag: string
  access: Access
  /** Stopped by maintenance and by load shedding. */
  createsWork?: boolean
  /** Reads an `Idempotency-Key`, for the documentation. */
  idempotent?: boolean
  /** The switch that turns this route off as a whole (505). */
  feature?: string
  /** Checked before the handler runs; the handler gets the parsed value. */
  query?: Query
  body?: Body
  /** For bodies that their handler checks itself: the schema and examples for the documentation. */
  bodyDocs?: z.ZodType
  /** The part of a multipart body that holds a file, where such a body is taken as well; the handler reads it. */
  filePart?: string
  /** A limit of its own for the body. */
  bodyBytesMax?: number
  /** Shape of `data` in the answer. */
  answer?: z.ZodType
  /** Codes besides 401, 422, 429, 433 and 500 that this route can answer. */
  codes?: (ErrorCode | 416)[]
  /** Documentation of a success that is not the envelope: its content type and, where it is JSON, its shape. */
  plainAnswer?: { type: string; schema?: z.ZodType }
  /** Not part of the API, so not in its documentation: pages and what they are made of. */
  hidden?: boolean
  handler(call: RouteCall<z.output<Query>, z.output<Body>>): Promise<unknown>
}

/** Keeps the types of query and body for the handler. */
export function route<Query extends z.ZodType, Body extends z.ZodType>(definition: Route<Query, Body>): Route {
  return definition as unknown as Route
}

/** Returned by handlers that have answered by themselves. */
export const answered = Symbol('answered')
