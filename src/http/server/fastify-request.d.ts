import type { Principal } from '../../accounts/authenticate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; set by the guard on every route that is not open. */
    caller: Principal
  }
}
