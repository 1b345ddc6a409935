// Which network addresses clients' URLs may use: pure rules, no I/O.
// Spellings of hosts are not handled here; `fetch-url.ts` normalises them into plain addresses first.
import ipaddr from 'ipaddr.js'
import { type Network, parseNetwork } from '../platform/networks.ts'

type Ip = ipaddr.IPv4 | ipaddr.IPv6

/** What is allowed beyond the public internet. */
export interface AddressPolicy {
  readonly loopback: boolean
  /** Private, shared (carrier-grade NAT) and unique local ranges. */
  readonly private: boolean
  readonly networks: readonly Network[]
}

const publicOnly: AddressPolicy = { loopback: false, private: false, networks: [] }

/** Cloud metadata and host-agent services outside the link-local ranges; no setting opens them. */
const metadataServices = new Set(
  [
    '168.63.129.16', // Azure
    '100.100.100.200', // Alibaba
    '192.0.0.192', // Oracle
    'fd00:ec2::254', // AWS
    'fd00:ec2::253', // AWS DNS
    'fd00:ec2::123', // AWS NTP
    'fd20:ce::254', // Google
    'fd00:42::42', // Scaleway
  ].map((address) => ipaddr.parse(address).toNormalizedString()),
)

/** No public web server has one of these; on Linux, 0.0.0.0 and :: reach the machine itself. */
const neverRanges = new Set(['linkLocal', 'multicast', 'broadcast', 'unspecified'])
const privateRanges = new Set(['private', 'carrierGradeNat', 'uniqueLocal', 'deprecatedSiteLocal'])
const globalUnicastV6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** NAT64 for local use: where it carries the IPv4 address depends on the site, so it cannot be judged. */
const localNat64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48')

/**
 * Reads the private-network setting: `true`, `false`, or networks separated by commas or spaces.
 * Unset or empty allows loopback if `loopbackDefault` is true.
 */
export function parsePrivateNetwork(setting: string | undefined, loopbackDefault: boolean): AddressPolicy {
  const text = setting?.trim() ?? ''
  if (text === '') return { ...publicOnly, loopback: loopbackDefault }
  if (text.toLowerCase() === 'true') return { loopback: true, private: true, networks: [] }
  if (text.toLowerCase() === 'false') return publicOnly
  const networks = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(needNetwork)
  return { ...publicOnly, networks }
}

function needNetwork(text: string): Network {
  const network = parseNetwork(text)
  if (network) return network
  throw new Error(`must be "true", "false" or networks like "10.0.0.0/8, fd00::/8"; "${text}" is none of these`)
}

/** Whether a connection to this plain IPv4 or IPv6 address is allowed. An invalid address is not. */
export function addressAllowed(address: string, policy: AddressPolicy): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false
  return ipAllowed(ipaddr.parse(address), policy)
}

function ipAllowed(ip: Ip, policy: AddressPolicy): boolean {
  if (neverAllowed(ip)) return false
  const listed = policy.networks.some((network) => inNetwork(ip, network))
  const carried = ip instanceof ipaddr.IPv6 ? carriedIPv4(ip) : []
  // The packets end at the carried address, so that is the one to judge, also inside a listed network.
  if (carried.length > 0) return carried.every((inner) => (listed ? !neverAllowed(inner) : ipAllowed(inner, policy)))
  if (listed) return true
  const range: string = ip.range()
  if (range === 'loopback') return policy.loopback
  if (privateRanges.has(range)) return policy.private
  if (ip instanceof ipaddr.IPv6 && !ip.match(globalUnicastV6)) return false
  return range === 'unicast'
}

function neverAllowed(ip: Ip): boolean {
  if (ip instanceof ipaddr.IPv6 && (ip.zoneId !== undefined || ip.match(localNat64))) return true
  return neverRanges.has(ip.range()) || metadataServices.has(ip.toNormalizedString())
}

function inNetwork(ip: Ip, [base, bits]: Network): boolean {
  return ip.kind() === base.kind() && ip.match(base, bits)
}

/** The IPv4 addresses that an IPv6 address stands for or tunnels to; empty for a plain one. */
function carriedIPv4(ip: ipaddr.IPv6): ipaddr.IPv4[] {
  const parts = ip.parts as [number, number, number, number, number, number, number, number]
  const last = fromParts(parts[6], parts[7])
  const range: string = ip.range()
  if (range === 'ipv4Mapped' || range === 'rfc6145' || range === 'rfc6052') return [last]
  // IPv4-compatible, ::a.b.c.d; :: and ::1 have ranges of their own.
  if (range !== 'loopback' && parts.slice(0, 6).every((part) => part === 0)) return [last]
  if (range === '6to4') return [fromParts(parts[1], parts[2])]
  // Teredo carries its server plainly and its client with every bit flipped.
  if (range === 'teredo') return [fromParts(parts[2], parts[3]), fromParts(parts[6] ^ 0xffff, parts[7] ^ 0xffff)]
  // ISATAP: an interface id of [02]00:5efe before the IPv4 address.
  if ((parts[4] & 0xfdff) === 0 && parts[5] === 0x5efe) return [last]
  return []
}

function fromParts(high: number, low: number): ipaddr.IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff])
}
