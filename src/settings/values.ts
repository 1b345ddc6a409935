// What settings may be: one parser for each kind of value. A parser throws an Error whose message completes the sentence
// "<NAME> …".
import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import { parsePrivateNetwork } from '../outbound/address-rules.ts'
import { formatDuration, parseDuration, parseRate, type Rate } from '../platform/durations.ts'
import { isCellName } from '../platform/ids.ts'
import { type ProxyTrust, parseNetwork } from '../platform/networks.ts'
import { parseSecretKey } from '../secrets/secret-box.ts'

export const text = (value: string) => value

export function visibleAscii(value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value)) throw new Error('must be visible ASCII text without spaces')
  return value
}

export function cell(value: string): string {
  if (!isCellName(value)) throw new Error('must be 1 to 8 characters of a-z and 0-9, and not test')
  return value
}

/** The first encrypts, all decrypt. A first that is null: nothing is encrypted any more. */
export function secretKeys(value: string): (Buffer | null)[] {
  return list(value).map((entry, index) => {
    if (index === 0 && entry === 'none') return null
    const key = parseSecretKey(entry)
    if (key) return key
    throw new Error('must be 32 random bytes in base64 or hex; make one with: openssl rand -base64 32')
  })
}

export function port(value: string): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number > 65_535) throw new Error('must be a port number from 0 to 65535')
  return number
}

function wholeNumber(value: string): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number)) throw new Error('must be a whole number')
  return number
}

/** The limit of every grant: far below the numbers that cannot be counted exactly. */
const grantMax = 1_000_000_000_000

export function grantedCredits(value: string): number {
  const number = wholeNumber(value)
  if (number > grantMax) throw new Error(`must be a whole number up to ${grantMax}`)
  return number
}

export function positiveNumber(value: string): number {
  const number = wholeNumber(value)
  if (number < 1) throw new Error('must be a whole number of at least 1')
  return number
}

/** Each slot is a process that renders. */
const slotsMax = 1000

export function slots(value: string): number {
  const number = positiveNumber(value)
  if (number > slotsMax) throw new Error(`must be a whole number from 1 to ${slotsMax}`)
  return number
}

export function share(value: string): number {
  const number = Number(value)
  if (!/^\d*\.?\d+$/.test(value) || number > 1) throw new Error('must be a number from 0 to 1')
  return number
}

const durationMaxMs = 36_500 * 86_400_000

export function duration(value: string): number {
  const ms = parseDuration(value)
  // Timers hold at most 2^31 ms; longer times are only ever compared.
  if (ms === null || ms <= 0) throw new Error('must be a duration such as 250ms, 5s, 10m, 1h or 14d')
  // A bound for dates that are computed from it, such as the one until which a file may be cached.
  if (ms > durationMaxMs) throw new Error(`must be at most ${formatDuration(durationMaxMs)}`)
  return ms
}

export const durationOrZero = (value: string) => (parseDuration(value) === 0 ? 0 : duration(value))

/** Values beyond these bounds cannot be meant. */
export function durationFrom(least: string, most: string) {
  const [leastMs, mostMs] = [least, most].map((bound) => parseDuration(bound)!) as [number, number]
  return (value: string): number => {
    const ms = leastMs === 0 ? durationOrZero(value) : duration(value)
    if (ms < leastMs || ms > mostMs) throw new Error(`must be a duration from ${least} to ${most}`)
    return ms
  }
}

export function durations(value: string): number[] {
  return list(value).map((entry) => {
    try {
      return duration(entry)
    } catch {
      throw new Error('must be durations separated by commas, such as 1s,5s,30s')
    }
  })
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

export function origins(value: string): string[] {
  return list(value).map((entry) => {
    if (entry === '*' || (URL.canParse(entry) && new URL(entry).origin === entry)) return entry
    throw new Error('must be origins separated by commas, such as https://studio.example, or *')
  })
}

export function proxies(value: string): ProxyTrust {
  if (value === 'false' || value === 'off') return false
  if (value === 'true') return 1
  if (/^\d+$/.test(value)) return positiveNumber(value)
  return list(value).map((entry) => {
    const network = parseNetwork(entry)
    if (!network)
      throw new Error(
        'must be true, off, the number of proxies in a row, or networks separated by commas, such as 10.0.0.0/8,::1',
      )
    return network
  })
}

export function rateOrOff(value: string): Rate | null {
  if (value === 'off') return null
  const rate = parseRate(value)
  if (!rate) throw new Error('must be a rate such as 100/10s, or off')
  return rate
}

export function shareOfTime(value: string): { ms: number; perMs: number } | null {
  if (value === 'off') return null
  const [ms, perMs, ...rest] = value.split('/').map(parseDuration)
  if (!ms || !perMs || rest.length > 0) throw new Error('must be a time per time such as 15m/1h, or off')
  return { ms, perMs }
}

export function bytes(value: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB|TB)?$/i.exec(value)
  if (!match) throw new Error('must be a size such as 500MB or 5GB')
  const power = ['B', 'KB', 'MB', 'GB', 'TB'].indexOf((match[2] ?? 'B').toUpperCase())
  return Math.floor(Number(match[1]) * 1024 ** power)
}

export function httpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new Error('must be an http or https URL, such as https://videos.example.com')
  }
  // The service itself would refuse such URLs of its files in requests.
  if (url.username !== '' || url.password !== '') throw new Error('must be a URL without a user name or password')
  return value.replace(/\/+$/, '')
}

export function postgresUrl(value: string): string {
  if (!/^postgres(ql)?:\/\//.test(value)) throw new Error('must be a postgres:// URL')
  if (/^[^/]+\/\/(?:[^@/]*@)?[^/?]*,/.test(value)) {
    throw new Error('must name one host; use an address that moves to the new primary')
  }
  if (!URL.canParse(value)) throw new Error('must be a URL, with special characters of the password written as %XX')
  return value
}

export function storageUrl(value: string): string {
  if (!/^s3:\/\/[^/?]+/.test(value)) throw new Error('must be an s3:// URL, such as s3://bucket?endpoint=https://…')
  return value
}

export function modelOrNone(value: string): string | null {
  if (value === 'none') return null
  if (!/^[^/\s]+\/[^/\s]+$/.test(value)) throw new Error('must be a model such as owner/name, or none')
  return value
}

export function readableFile(value: string): string {
  const path = resolve(value)
  try {
    accessSync(path, constants.R_OK)
  } catch {
    throw new Error('must name a file that can be read')
  }
  return path
}

/** As it is: what it allows by default depends on other settings. */
export function privateNetwork(value: string): string {
  parsePrivateNetwork(value, false)
  return value
}

/** The names that OpenTelemetry defines and its library has. */
export const tracesSamplers = ['always_on', 'always_off', 'traceidratio'].flatMap(
  (name) => [name, `parentbased_${name}`] as const,
)

export function oneOf<const T extends string>(...values: T[]) {
  return (value: string): T => {
    if (!(values as string[]).includes(value)) throw new Error(`must be one of ${values.join(', ')}`)
    return value as T
  }
}
