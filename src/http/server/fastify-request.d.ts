import type { Principal } from '../../accounts/keys/authenticate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set by the guard on every route that is not open. */
    caller: Principal
  }
}
