// Who acts by a request, for the audit log.
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../audit/audit.ts'
import { clientAddress } from './client-address.ts'

/** The key of a request that has passed the guard. */
export function requestActor(request: FastifyRequest): Actor {
  return { actor: request.caller.keyId, address: clientAddress(request) }
}
