// Cross-origin requests, only for the origins in DAILIES_CORS_ORIGINS.
import type { FastifyInstance } from 'fastify'

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
