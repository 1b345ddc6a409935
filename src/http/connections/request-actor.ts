// Who acts by a request, for the audit log.
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../audit/audit.ts'
import { clientAddress } from './client-address.ts'

/** The key of a request that has passed the guard. A request of the command line to itself comes from no address. */
export function requestActor(request: FastifyRequest): Actor {
  const address = clientAddress(request)
  return { actor: request.caller.keyId, address: isIP(address) === 0 ? null : address }
}
