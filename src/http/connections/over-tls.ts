// Whether a client reaches the service over TLS, which ends at a proxy in front of it.
import type { FastifyRequest } from 'fastify'
import { isLoopbackHost } from '../../platform/networks.ts'

/**
 * A trusted proxy reports it. Otherwise it goes by the public URL, except for requests to a name of this machine: they come
 * past the proxy.
 */
export function isOverTls(request: FastifyRequest, publicUrl: string | null): boolean {
  if (request.protocol === 'https') return true
  return publicUrl?.startsWith('https:') === true && !isLoopbackHost(request.hostname)
}
