// What only browsers need: the session cookie and CORS. The cookie is valid only on requests with a custom header, which other
// sites cannot send without permission by CORS. SameSite=Strict and this header each prevent forged requests.
import type { FastifyInstance, FastifyRequest } from 'fastify'

type Request = Pick<FastifyRequest, 'headers' | 'overTls'>

/** Over TLS, browsers take a name with this prefix from this very host alone: no other site of the domain can set it. */
const cookieName = ({ overTls }: Request) => (overTls ? '__Host-dailies_session' : 'dailies_session')
export const consoleHeader = 'x-dailies-console'

/** The token of a request that comes from the console. */
export function sessionToken(request: Request): string | null {
  const { headers } = request
  if (headers[consoleHeader] === undefined) return null
  const start = `${cookieName(request)}=`
  const pair = (headers.cookie ?? '').split(/; */).find((part) => part.startsWith(start))
  return pair?.slice(start.length) || null
}

/** The session token that authenticates a request: none where the request presents a key, which takes precedence. */
export function callingSession(request: Request): string | null {
  return request.headers.authorization === undefined ? sessionToken(request) : null
}

/** `maxAgeS`: null keeps the cookie until the browser is closed, 0 removes it. */
export function sessionCookie(
  request: Request,
  token: string,
  options: { secure: boolean; maxAgeS: number | null },
): string {
  return [
    `${cookieName(request)}=${token}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    ...(options.secure || request.overTls ? ['Secure'] : []),
    ...(options.maxAgeS === null ? [] : [`Max-Age=${options.maxAgeS}`]),
  ].join('; ')
}

/** Cross-origin requests, only for the origins in DAILIES_CORS_ORIGINS. */
export function allowOrigins(server: FastifyInstance, origins: string[]): void {
  const allowed = new Set(origins)
  server.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'origin')
    const { origin } = request.headers
    if (!origin || !(allowed.has(origin) || allowed.has('*'))) return
    reply.header('access-control-allow-origin', origin)
    reply.header(
      'access-control-expose-headers',
      'retry-after, x-request-id, ratelimit, ratelimit-policy, x-model-served, x-credits-held, x-credits-left, x-ignored-fields',
    )
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return
    reply.header('access-control-allow-methods', 'GET, POST, PATCH, DELETE')
    reply.header('access-control-allow-headers', 'authorization, content-type, idempotency-key')
    reply.header('access-control-max-age', '600')
    return reply.code(204).send()
  })
}
