// Who calls the MCP server: names under which a browser may reach it, and the addresses that are passed on to the service.
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { plainAddress } from '../../http/server/connections/request-origin.ts'
import { isLoopbackHost } from '../../platform/networks.ts'

export interface ServedNames {
  /** The address to listen on. */
  host: string
  /** Where callers reach it; null: where it listens. */
  publicUrl: string | null
}

/**
 * What is wrong with the names of a request, or null. A web page can have its own name resolve to this machine, and its
 * requests then carry that name: as `Host`, and as `Origin`. An address cannot be taken over in this way. Beyond
 * loopback, any name may be one of the server's own, unless `publicUrl` says which one is.
 */
export function nameProblem({ host, origin }: IncomingHttpHeaders, served: ServedNames): string | null {
  const named = hostnameOf(`http://${host}`)
  const isOpen = !isLoopbackHost(served.host) && served.publicUrl === null
  const isServed = (name: string) =>
    isLoopbackHost(name) || isAddress(name) || (served.publicUrl !== null && name === hostnameOf(served.publicUrl))
  if (host === undefined || named === null || !(isOpen || isServed(named))) {
    return `This host is not served here: start dailies mcp with --public-url https://${named ?? 'HOST'} if it is your own.`
  }
  if (origin === undefined) return null
  const from = hostnameOf(origin)
  const isOwn = from !== null && (from === named || isLoopbackHost(from) || isServed(from))
  return isOwn ? null : 'Pages of other sites may not call this server.'
}

const hostnameOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : null)
const isAddress = (name: string) => isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0

/**
 * `X-Forwarded-For` as a proxy continues it, so that the service sees the caller's address where it trusts this
 * process. Null for a caller on this machine: the service would conclude from the header that it serves other machines.
 */
export function forwardedFor(headers: IncomingHttpHeaders, peer: string | undefined): string | null {
  const before = [headers['x-forwarded-for'] ?? []].flat().join(', ')
  const address = plainAddress(peer ?? '')
  if (before === '' && (isLoopbackHost(address) || address === '')) return null
  return before === '' ? address : `${before}, ${address}`
}
