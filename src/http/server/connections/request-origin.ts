// Where a request comes from, and where its client reaches the service: address, TLS, host. Forwarding headers are believed
// only from a trusted proxy.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { isLoopbackHost, isTrustedProxy, type ProxyTrust } from '../../../platform/networks.ts'

const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']

/** Whether a proxy passed the request on, going by headers that only a proxy adds. */
export function isForwarded(request: FastifyRequest): boolean {
  return forwardingHeaders.some((name) => request.headers[name] !== undefined)
}

/** An address only, never other text that a client may have put into a header. */
export function clientAddress(request: FastifyRequest): string {
  const named = plainAddress(request.ip)
  return isIP(named) ? named : plainAddress(request.socket.remoteAddress ?? '')
}

/** Without a port and without the prefix that IPv4 addresses have on an IPv6 socket. */
export function plainAddress(text: string): string {
  if (!text.includes(':')) return text
  const bare = text.replace(/^\[(.+)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  return bare.startsWith('::ffff:') && isIP(bare.slice(7)) === 4 ? bare.slice(7) : bare
}

/** Links in a response begin with the origin while DAILIES_PUBLIC_URL is not set. */
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

/**
 * Whether the client reaches the service over TLS, which ends at a proxy in front of it. A trusted proxy reports it.
 * Otherwise the public URL decides, except for requests to a name of this machine, which do not pass the proxy.
 */
export function isOverTls(request: FastifyRequest, publicUrl: string | null): boolean {
  if (request.protocol === 'https') return true
  return publicUrl?.startsWith('https:') === true && !isLoopbackHost(request.hostname)
}
