// Which failures are worth a retry, and how long to wait before it. Pure functions.
import type { DailiesError } from '../errors.ts'

/**
 * `always`: sending the request twice has the same effect as sending it once. `if-refused`: only after a response that
 * says that nothing was done.
 */
export type Repeat = 'always' | 'if-refused'

/** 429 and 455 say that nothing was done; after 501 and 505 a retry cannot help. */
export function isRetryable(error: DailiesError, repeat: Repeat): boolean {
  if (error.code === 429 || error.code === 455) return true
  if (repeat === 'if-refused') return false
  return error.code === 0 || (error.code >= 500 && error.code !== 501 && error.code !== 505)
}

const firstDelayMs = 300
const delayMsMax = 10_000
/** When the service asks for a longer wait, the caller gets the error. */
export const retryAfterMsMax = 60_000

/** Milliseconds before the next attempt; null when the service asks for too long a wait. `tries`: attempts so far. */
export function delayBeforeRetry(tries: number, retryAfterMs: number | null, random: number): number | null {
  // With jitter, so that many clients do not retry at the same moment.
  const backoffMs = Math.min(delayMsMax, firstDelayMs * 2 ** (tries - 1)) * (0.5 + random / 2)
  if (retryAfterMs === null) return backoffMs
  return retryAfterMs > retryAfterMsMax ? null : retryAfterMs + backoffMs / 4
}

/** A `Retry-After` header: seconds, or a date. */
export function readRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null || value.trim() === '') return null
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Math.round(Number(value) * 1000)
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs)
}
