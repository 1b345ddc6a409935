import type { Principal } from '../../accounts/keys/authenticate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A multipart form is accepted besides JSON. */
    acceptsForm?: boolean
  }
  interface FastifyRequest {
    /** The caller; set by the guard on every route that is not open. */
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
