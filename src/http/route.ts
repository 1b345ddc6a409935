// What a route is: one declaration gives the handler, the checks before it, the success that it returns and the OpenAPI
// text. Shapes come from the contract.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Principal } from '../accounts/keys/authenticate.ts'
import type { ErrorCode } from '../contract/errors.ts'
import type { KeyScope } from '../contract/keys.ts'

/** `key`: any API key. `main-key`: not a sub-key. `operator`: a key with the operator right. `open`: no key. */
export type Access = 'key' | 'main-key' | 'operator' | 'open'

/** Who may call a route. `any`: a key needs no particular scope. */
type RouteAccess = { access: 'open'; scope?: never } | { access: Exclude<Access, 'open'>; scope: KeyScope | 'any' }

export interface RouteCall<Query = unknown, Body = unknown> {
  caller: Principal
  query: Query
  body: Body
  params: Record<string, string>
  request: FastifyRequest
  reply: FastifyReply
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A multipart form is accepted besides JSON. */
    acceptsForm?: boolean
  }
  interface FastifyRequest {
    /** The caller: set by the guard on every route that is not open, and by `findCaller`. */
    caller: Principal
    /** The client reaches the service over TLS. */
    overTls: boolean
    /**
     * Resolves when the next slice of long work may run for the caller, below a millisecond. `bytesRead`: how much of the
     * body was read before, which counts as well.
     */
    nextTurn(bytesRead?: number): Promise<void>
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD'

/** What a route is in the documentation. */
interface RouteDocs {
  /** The name of the operation, `createTask`. */
  operationId: string
  summary: string
  description: string
  tag: string
}

/** Pages and their assets are not part of the API, and are not documented. */
type Documented = RouteDocs | { [Name in keyof RouteDocs]?: never }

type Definition<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> = RouteAccess &
  Documented & {
    /** `:name` marks a parameter. */
    endpoint: `${Method} /${string}`
    /** Its response may stay open for long: it ends when the caller loses the right to it. */
    streams?: boolean
    /**
     * It may keep the event loop busy for milliseconds, such as by a transaction of its own on SQLite: an account's
     * requests to such routes run one after the other.
     */
    sharesLoop?: boolean
    /** It acts on keys or their secrets without needing the scope `keys`: a replaced secret may not call it either. */
    actsOnKeys?: boolean
    /** Stopped by maintenance and by load shedding. */
    createsWork?: boolean
    /** Reads an `Idempotency-Key`, for the documentation. */
    idempotent?: boolean
    /** The switch that disables this route as a whole (505). */
    feature?: string
    /** Checked before the handler runs; the handler gets the parsed value. */
    query?: Query
    body?: Body
    /** For bodies that their handler checks itself: the schema for the documentation. */
    bodyDocs?: z.ZodType
    /** The part of a multipart body that holds a file, where such a body is accepted too; the handler reads it. */
    filePart?: string
    /** A limit of its own for the body. */
    bodyBytesMax?: number
    /** Shape of a success: of `data` in the envelope, or of the whole body where the route is `bare`. */
    answer?: Answer
    /** A success is not wrapped in the envelope. */
    bare?: boolean
    /** Content type of a success that is not JSON. */
    contentType?: string
    /** Codes besides those that follow from the rest of the declaration (openapi/responses.ts). */
    codes?: readonly (ErrorCode | 416)[]
    /**
     * Of an open route whose body presents a key: finds the caller. The request then counts towards the limits of its key,
     * and shares the event loop as one of its account.
     */
    findCaller?(call: { body: z.output<Body>; request: FastifyRequest }): Promise<Principal>
    /** Returns what `answer` declares, or `answered`. */
    handler(call: RouteCall<z.output<Query>, z.output<Body>>): Promise<z.input<Answer> | typeof answered>
  }

export type Route = Definition & { method: Method; path: string }
export type DocumentedRoute = Route & RouteDocs

/** Binds the handler to the types of query, body and `answer`. Without `answer`, it can only return `answered`. */
export function route<
  Query extends z.ZodType = z.ZodNever,
  Body extends z.ZodType = z.ZodNever,
  Answer extends z.ZodType = z.ZodNever,
>(definition: Definition<Query, Body, Answer>): Route {
  const [method, path] = definition.endpoint.split(' ')
  return { ...definition, method, path } as unknown as Route
}

/** `/a/:id` → `/a/{id}` */
export function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

/** Returned by handlers that have sent the response themselves. */
export const answered: unique symbol = Symbol('answered')
