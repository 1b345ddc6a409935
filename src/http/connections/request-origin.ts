// Where the client of the current request reaches the service, as a trusted proxy reports it: links in a response begin
// with it while DAILIES_PUBLIC_URL is not set. Headers of other connections are not believed.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { isTrustedProxy, type ProxyTrust } from '../../platform/networks.ts'

const origins = new AsyncLocalStorage<string>()

/** Undefined outside of requests, and in those that no trusted proxy passed on. */
export const requestOrigin = () => origins.getStore()

/** Runs the rest of a request with its origin. */
export function withRequestOrigin(request: FastifyRequest, trust: ProxyTrust, rest: () => void): void {
  const isForwarded = request.headers['x-forwarded-host'] !== undefined
  const origin = `${request.protocol}://${request.host}`
  const isUsable = isForwarded && isTrustedProxy(trust, request.socket.remoteAddress) && isOrigin(origin)
  if (isUsable) origins.run(origin, rest)
  else rest()
}

/** HTTP forbids it: a proxy may have checked one of them, and passed on the other. */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

/** A host and a port, and nothing that would change the meaning of a URL. */
function isOrigin(text: string): boolean {
  return /^https?:\/\/[\w.-]+(:\d{1,5})?$|^https?:\/\/\[[\da-f:.]+\](:\d{1,5})?$/i.test(text) && URL.canParse(text)
}
