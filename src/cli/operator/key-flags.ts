// The flags that say what a key may do, and their values.
import type { KeyChanges } from '../../accounts/keys/update.ts'
import { type KeyScope, keyScopes, type RequestLimit } from '../../contract/keys.ts'
import { parseDuration, parseRate } from '../../platform/durations.ts'
import { parseNetwork } from '../../platform/networks.ts'
import { type CommandInput, checkName, type Flag, parseDate, textFlag, UsageError, wholeNumber } from '../command.ts'

export const keyFlags = {
  name: { value: 'TEXT', help: 'its name' },
  rate: { value: '5/10s', help: 'rate limit of its own: requests/duration' },
  expires: { value: '30d', help: 'when it expires: a duration from now, or a date such as 2030-01-31' },
  scopes: { value: 'LIST', help: `what it may do: ${keyScopes.join(',')}` },
  addresses: { value: 'LIST', help: 'from where it may be used: addresses or networks such as 203.0.113.0/24' },
  'credit-limit': { value: 'N', help: 'credits a sub-key may spend in all' },
  'request-limit': { value: '100/day', help: 'requests a sub-key may make: N/hour, N/day or N/total' },
} satisfies Record<string, Flag>

/** Removes a limit of a key that exists. */
const none = 'none'

/** The limits and rights that the flags name; those without a flag are left out. */
export function readKeyFlags(flags: CommandInput['flags']): KeyChanges {
  const changes: KeyChanges = {}
  const given = <T>(flag: keyof typeof keyFlags, read: (text: string) => T): T | null | undefined => {
    const text = textFlag(flags[flag])
    return text === undefined ? undefined : text === none ? null : read(text)
  }
  const set = <Name extends keyof KeyChanges>(name: Name, value: KeyChanges[Name] | undefined) => {
    if (value !== undefined) changes[name] = value as KeyChanges[Name]
  }
  const name = textFlag(flags.name)
  if (name !== undefined) set('name', checkName('--name', name))
  set('rate', given('rate', readRate))
  set('expiresAt', given('expires', readExpiry))
  set('scopes', given('scopes', readScopes))
  set('addresses', given('addresses', readAddresses))
  set(
    'creditLimit',
    given('credit-limit', (text) => wholeNumber('--credit-limit', text)),
  )
  set('requestLimit', given('request-limit', readRequestLimit))
  return changes
}

function readRate(text: string): string {
  if (!parseRate(text)) throw new UsageError(`--rate must be requests/duration such as 5/10s or 100/1m, not "${text}"`)
  return text
}

function readExpiry(text: string): number {
  const fromNowMs = parseDuration(text)
  const atMs = fromNowMs === null ? parseDate(text) : Date.now() + fromNowMs
  if (Number.isNaN(atMs)) throw new UsageError(`--expires must be a duration such as 30d, or a date, not "${text}"`)
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
