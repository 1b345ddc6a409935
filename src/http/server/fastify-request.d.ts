import type { Principal } from '../../accounts/authenticate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set by the guard on every route that is not open. */
    caller: Principal
  }
}
