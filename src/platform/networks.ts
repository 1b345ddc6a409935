// Sets of networks in CIDR notation, and whether an address is in one of them. Pure.
import ipaddr from 'ipaddr.js'

export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Parses a network, or a single address as a network of its own. Null when the text is neither. */
export function parseNetwork(text: string): Network | null {
  const cidr = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(cidr) && !ipaddr.IPv6.isValidCIDR(cidr)) return null
  return ipaddr.parseCIDR(cidr)
}

/** Whether an IPv4 or IPv6 address is in one of the networks. An IPv4-mapped IPv6 address counts as IPv4. */
export function inNetworks(address: string, networks: readonly Network[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const ip = ipaddr.process(address)
  return networks.some(([base, bits]) => ip.kind() === base.kind() && ip.match(base, bits))
}

/** Whether every address of `inner` is in `outer`. */
export function containsNetwork([outer, outerBits]: Network, [inner, innerBits]: Network): boolean {
  return inner.kind() === outer.kind() && innerBits >= outerBits && inner.match(outer, outerBits)
}

/**
 * Whose forwarding headers are trusted: none, those of this many proxies in a row, or those of proxies in these
 * networks. Each proxy adds the address of its peer at the end of `X-Forwarded-For`; what comes before the entries of
 * trusted proxies is whatever the client wrote.
 */
export type ProxyTrust = false | number | readonly Network[]

/** `hop` counts from the peer of the connection, which is 0, towards the client. */
export function isTrustedProxy(trust: ProxyTrust, address: string | undefined, hop = 0): boolean {
  if (trust === false) return false
  if (typeof trust === 'number') return hop < trust
  return address !== undefined && inNetworks(address, trust)
}

/** A name or address of this machine, as it stands in a URL. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
