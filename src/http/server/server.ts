// The HTTP server: hooks that every request passes, routes from their declarations, errors in the envelope.
import { setFlagsFromString } from 'node:v8'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Switches } from '../../accounts/switches.ts'
import { type ApiError, apiError, invalid, invalidField } from '../../contract/errors.ts'
import type { HttpMetrics } from '../../metrics/requests.ts'
import { newToken } from '../../platform/ids.ts'
import type { Logger } from '../../platform/logger.ts'
import { isTrustedProxy, type ProxyTrust } from '../../platform/networks.ts'
import type { Problem } from '../../schema/problem.ts'
import { parseWith } from '../../schema/validation.ts'
import { withTraceparent } from '../../tracing/trace-context.ts'
import { answered, type Route } from '../route.ts'
import { hasLargeBody, isForm, readJsonBodies, swallowRest } from './bodies/json-body.ts'
import { allowOrigins } from './browsers.ts'
import { type BoundedServer, createBoundedServer } from './connections/bounded-server.ts'
import type { ConnectionLimits } from './connections/connection-table.ts'
import { hasTwoHosts, isForwarded, isOverTls, withRequestOrigin } from './connections/request-origin.ts'
import { shareTurns, spreadRequests } from './event-loop.ts'
import type { Guard } from './guard.ts'
import { createLoopShare, type LoopShare } from './loop-share.ts'
import { createRequestLog, routeOf } from './request-log.ts'
import { errorBody, isOpenaiPath, json, sendError, sendOpenaiError, successBody } from './responses/envelope.ts'
import { toApiError } from './responses/error-mapping.ts'
import type { KeyStreams } from './responses/open-responses.ts'
import { createUnrouted, sendNotFoundPage, wantsPage } from './unrouted.ts'

interface ServerDeps {
  guard: Guard
  keyStreams: Pick<KeyStreams, 'add'>
  switches: Switches
  metrics: HttpMetrics
  log: Logger
  corsOrigins: string[]
  connectionLimits: ConnectionLimits
  trustProxy: ProxyTrust
  /** Null: the listening address. */
  publicUrl: string | null
  /** Whether a client's `traceparent` header is read. */
  isTraced: boolean
  /** Called for each request that a proxy passed on although none is trusted. */
  onUntrustedProxy(): void
}

const bodyBytesMax = 256 * 1024

export function createServer(deps: ServerDeps, routes: Route[]): FastifyInstance {
  keepResponsesYoung()
  const newRequestId = createRequestIds()
  const requestLog = createRequestLog(deps.log)
  const unrouted = createUnrouted(routes)
  const server = Fastify({
    bodyLimit: bodyBytesMax,
    serverFactory: (handler) =>
      createBoundedServer(spreadRequests(handler), {
        limits: deps.connectionLimits,
        isProxy: (address) => isTrustedProxy(deps.trustProxy, address),
        log: deps.log,
        unreadableResponse(error, address) {
          const requestId = newRequestId()
          requestLog.unreadable(requestId, error, address)
          return unreadable(requestId)
        },
      }),
    ...(deps.trustProxy === false
      ? {}
      : { trustProxy: (address, hop) => isTrustedProxy(deps.trustProxy, address, hop) }),
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: newRequestId,
    routerOptions: { maxParamLength: 512 },
    // These never reach the hooks below.
    frameworkErrors(error, request, reply) {
      addCommonHeaders(request, reply, deps.publicUrl)
      respondWithError(request, reply, toApiError(error, request))
    },
  })
  server.decorateRequest('overTls', false)
  const loopShare = createLoopShare()
  shareTurns(server, loopShare)
  readJsonBodies(server)

  // Hooks that wait for nothing use callbacks: a promise per hook would slow down every request.
  server.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply, deps.publicUrl)
    if (hasTwoHosts(request.raw)) return void sendTwoHosts(reply)
    if (deps.trustProxy === false && isForwarded(request)) deps.onUntrustedProxy()
    done()
  })
  if (deps.isTraced) {
    // Not earlier: the context would be lost while the body is read.
    server.addHook('preHandler', ({ headers: { traceparent } }, _reply, done) => {
      if (typeof traceparent === 'string') withTraceparent(traceparent, done)
      else done()
    })
  }
  if (deps.trustProxy !== false) {
    // After the body was read: the events of its stream are not in the context of the hooks before.
    server.addHook('preHandler', (request, _reply, done) => withRequestOrigin(request, deps.trustProxy, done))
  }
  if (deps.corsOrigins.length > 0) allowOrigins(server, deps.corsOrigins)
  server.addHook('onRequest', (request, reply, done) => {
    // Before the body is read, so that an unknown path is 404 whatever the body.
    if (request.is404) done(unrouted(request, reply))
    // A request waits for the response to the one before it on its connection. Otherwise a client that pipelines many
    // requests and reads nothing would have all their responses computed and kept.
    else if (reply.raw.socket === null) reply.raw.once('socket', () => done())
    else done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    deps.metrics.request(request.method, routeOf(request), reply.statusCode, reply.elapsedTime)
    requestLog.request(request, reply)
    done()
  })
  server.setErrorHandler((error, request, reply) => {
    const refusal = toApiError(error, request)
    if (refusal.code === 500) {
      deps.log.error(
        { err: refusal.cause ?? error, request: request.id, route: request.routeOptions.url },
        'request failed',
      )
    }
    swallowRest(request, reply)
    return respondWithError(request, reply, refusal)
  })
  const ownHead = new Set(routes.filter(({ method }) => method === 'HEAD').map(({ path }) => path))
  for (const definition of routes) addRoute(server, { ...deps, loopShare, ownHead }, definition)
  return server
}

/**
 * The listeners for a response's end, Node's and Fastify's, are in an array. V8 may conclude from arrays made at the start
 * of the process that such arrays live long, and allocate each among the old objects, where it keeps its request and
 * response until the next full garbage collection. One start in seven did, and each of its requests took 6 µs longer.
 */
function keepResponsesYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/** On OpenAI's paths, clients expect OpenAI's error body. */
function respondWithError(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  if (error.code === 404 && wantsPage(request)) return sendNotFoundPage(reply)
  return isOpenaiPath(request.url) ? sendOpenaiError(reply, error) : sendError(reply, error)
}

const closeIdleEveryMs = 50
/** For the rest of a header block, and for a client that still sends the body of a request that was refused. */
const closeWaitingAfterMs = 1000

/**
 * Stops accepting connections and finishes the requests that were accepted, for as long as `graceMs`: a player that has
 * paused reads the rest of its video whenever it likes. Node closes connections that are idle at that moment; those that
 * become idle later, at the end of their response or stream, would keep the server open for as long as they are kept
 * alive. Connections with a part of a header block are not idle to Node, and it no longer limits their time.
 */
export async function closeServer(server: FastifyInstance, graceMs: number): Promise<void> {
  const bounded = server.server as BoundedServer
  const idle = setInterval(() => bounded.closeIdleConnections(), closeIdleEveryMs)
  const waiting = setInterval(() => bounded.closeWaiting(), closeWaitingAfterMs)
  const grace = setTimeout(() => bounded.closeAllConnections(), graceMs)
  await server.close().finally(() => {
    clearInterval(idle)
    clearInterval(waiting)
    clearTimeout(grace)
  })
}

interface RouteDeps extends ServerDeps {
  loopShare: LoopShare
  /** Paths with a HEAD of their own. Of the others, only those that need no key have one: it does all the work of GET. */
  ownHead: Set<string>
}

function addRoute(server: FastifyInstance, deps: RouteDeps, route: Route): void {
  server.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: route.method === 'GET' && route.access === 'open' && !deps.ownHead.has(route.path),
    ...(route.bodyBytesMax ? { bodyLimit: route.bodyBytesMax } : {}),
    config: { acceptsForm: route.filePart !== undefined },
    async onRequest(request, reply) {
      if (route.access === 'open') return
      request.caller = await deps.guard.enter(route, request, reply)
      deps.loopShare.note(request.caller.accountId)
      if (hasLargeBody(request)) await request.nextTurn()
      if (route.streams) deps.keyStreams.add(reply.raw, () => deps.guard.mayContinue(route, request))
    },
    async handler(request, reply) {
      const query = check(route.query, request.query, 'query', { keepEmpty: true })
      const hasForm = route.filePart !== undefined && isForm(request)
      const body = hasForm ? undefined : check(route.body, request.body, '')
      if (route.feature && !deps.switches.featureEnabled(route.feature)) {
        throw apiError('feature_disabled', { feature: route.feature })
      }
      const params = request.params as Record<string, string>
      if (route.findCaller) request.caller = await deps.guard.count(await route.findCaller({ body, request }), reply)
      const { caller } = request
      // Includes the text of the response: a large one takes as long as everything else.
      const work = async () => {
        // A client that left while its request waited for a turn needs no response.
        if (request.socket.destroyed) return answered
        const data = await route.handler({ caller, query, body, params, request, reply })
        if (data === answered) return answered
        return route.bare ? JSON.stringify(data) : successBody(data)
      }
      // Not in `work`: awaiting a reply waits until a response that streams has ended, and the account's next request with it.
      const text = await (route.sharesLoop ? deps.loopShare.run(caller, work) : work())
      return text === answered ? reply : reply.header('content-type', json).send(text)
    },
  })
}

function check(schema: z.ZodType | undefined, value: unknown, prefix: string, options = {}): unknown {
  if (!schema) return value
  const parsed = parseWith(schema, value, prefix, options)
  if (!parsed.ok)
    throw invalid(prefix === 'query' ? parsed.problems.map((each) => repeated(each, value)) : parsed.problems)
  return parsed.value
}

/** A parameter that was given several times is read as an array, of which its schema knows nothing. */
function repeated(problem: Problem, query: unknown): Problem {
  const given = (query as Record<string, unknown>)[problem.field.slice('query.'.length)]
  if (!Array.isArray(given)) return problem
  const times = given.length === 2 ? 'twice' : `${given.length} times`
  return { ...problem, message: `was given ${times}; give it once` }
}

/** Most responses are not pages; a route that serves a page sets its own policy. */
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** For a year, browsers use TLS alone for this name. */
const hsts = 'max-age=31536000'

/** Request ids find a request in the log. A random prefix makes them unique; they need not be hard to guess. */
function createRequestIds(): () => string {
  const prefix = newToken().slice(0, 10)
  let count = 0
  return () => `${prefix}-${(++count).toString(36)}`
}

function addCommonHeaders(request: FastifyRequest, reply: FastifyReply, publicUrl: string | null): void {
  reply.headers(securityHeaders)
  request.overTls = isOverTls(request, publicUrl)
  if (request.overTls) reply.header('strict-transport-security', hsts)
  reply.header('x-request-id', request.id)
}

/** The one status outside the contract: HTTP demands it, and no client of the contract can cause it. */
function sendTwoHosts(reply: FastifyReply): FastifyReply {
  const body = JSON.stringify({ code: 400, msg: 'request: has more than one Host header', data: null })
  return reply.code(400).headers({ 'content-type': json, connection: 'close' }).send(body)
}

const unreadableBody = errorBody(invalidField('request', 'is not valid HTTP'))

/** A whole response to bytes that are not a request, for which there is no reply object. */
function unreadable(requestId: string): string {
  const headers = {
    ...securityHeaders,
    'x-request-id': requestId,
    'content-type': json,
    'content-length': Buffer.byteLength(unreadableBody),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 422 Unprocessable Entity\r\n${lines.join('')}\r\n${unreadableBody}`
}
