// The flags that say what a key may do, and their values.
import type { KeyChanges } from '../../accounts/keys/update.ts'
import { type KeyScope, keyScopes, type RequestLimit } from '../../contract/keys.ts'
import { parseDuration, parseRate } from '../../platform/durations.ts'
import { parseNetwork } from '../../platform/networks.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'
import { lastTimeMs } from '../../schema/wire-types.ts'
import { checkName, type Flags, type FlagValues, parseDate, UsageError, wholeNumber } from '../command.ts'

export const keyFlags = {
  name: { value: 'TEXT', help: 'its name' },
  rate: { value: '5/10s', help: 'rate limit of its own: requests/duration' },
  expires: { value: '30d', help: 'when it expires: a duration from now, or a date such as 2030-01-31' },
  scopes: { value: 'LIST', help: `what it may do: ${keyScopes.join(',')}` },
  addresses: { value: 'LIST', help: 'from where it may be used: addresses or networks such as 203.0.113.0/24' },
  'credit-limit': { value: 'N', help: 'credits a sub-key may spend in all' },
  'request-limit': { value: '100/day', help: 'requests a sub-key may make: N/hour, N/day or N/total' },
} satisfies Flags

/** Removes a limit of a key that exists. */
const none = 'none'

/** The limits and rights that the flags name; those without a flag are left out. */
export function readKeyFlags(flags: FlagValues<typeof keyFlags>): KeyChanges {
  const limit = <T>(text: string | undefined, read: (text: string) => T): T | null | undefined =>
    text === undefined ? undefined : text === none ? null : read(text)
  return withoutUndefined({
    name: flags.name === undefined ? undefined : checkName('--name', flags.name),
    rate: limit(flags.rate, readRate),
    expiresAt: limit(flags.expires, readExpiry),
    scopes: limit(flags.scopes, readScopes),
    addresses: limit(flags.addresses, readAddresses),
    creditLimit: limit(flags['credit-limit'], (text) => wholeNumber('--credit-limit', text)),
    requestLimit: limit(flags['request-limit'], readRequestLimit),
  })
}

function readRate(text: string): string {
  if (!parseRate(text)) throw new UsageError(`--rate must be requests/duration such as 5/10s or 100/1m, not "${text}"`)
  return text
}

function readExpiry(text: string): number {
  const fromNowMs = parseDuration(text)
  const atMs = fromNowMs === null ? parseDate(text) : Date.now() + fromNowMs
  const isTime = atMs <= lastTimeMs
  if (!isTime) throw new UsageError(`--expires must be a duration such as 30d, or a date, not "${text}"`)
  return atMs
}

const listOf = (text: string) => text.split(/[\s,]+/).filter((each) => each !== '')

function readScopes(text: string): KeyScope[] {
  const scopes = listOf(text)
  const unknown = scopes.find((scope) => !(keyScopes as readonly string[]).includes(scope))
  if (unknown !== undefined || scopes.length === 0) {
    throw new UsageError(`--scopes must be a list of ${keyScopes.join(', ')}, not "${text}"`)
  }
  return [...new Set(scopes)] as KeyScope[]
}

function readAddresses(text: string): string[] {
  const addresses = listOf(text)
  const wrong = addresses.find((address) => parseNetwork(address) === null)
  if (wrong !== undefined || addresses.length === 0) {
    throw new UsageError(`--addresses must be a list of addresses or networks, not "${wrong ?? text}"`)
  }
  return addresses
}

function readRequestLimit(text: string): RequestLimit {
  const [requests, per, ...rest] = text.split('/')
  if (!['hour', 'day', 'total'].includes(per ?? '') || rest.length > 0) {
    throw new UsageError(`--request-limit must be N/hour, N/day or N/total, not "${text}"`)
  }
  return {
    requests: wholeNumber('--request-limit: the part before the slash', requests!),
    per: per as RequestLimit['per'],
  }
}
