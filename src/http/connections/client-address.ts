// Which address a request comes from: the connection's peer, or what a trusted proxy says in its forwarding headers.
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

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
