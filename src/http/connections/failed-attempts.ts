// Failed authentication per client address: beyond a limit, further failures get 429 for a while. A valid key is served
// from every address at any time, because many clients may share one.
import { type ApiError, apiError } from '../../contract/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { createRecentMap } from '../../platform/recent-map.ts'

export interface FailedAttempts {
  /** Counts a failure, and returns the refusal to respond with: the given one, or that of too many. */
  count(address: string, refusal: ApiError): ApiError
}

const failuresMax = 100
const windowMs = 60_000
const addressesMax = 10_000

export function createFailedAttempts(clock: Clock): FailedAttempts {
  const windows = createRecentMap<{ endsAt: number; failures: number }>(addressesMax)
  return {
    count(address, refusal) {
      const nowMs = clock.now()
      const known = windows.get(address)
      const window = known && known.endsAt > nowMs ? known : { endsAt: nowMs + windowMs, failures: 0 }
      window.failures++
      windows.set(address, window)
      if (window.failures <= failuresMax) return refusal
      return apiError('too_many_failed_attempts', { retryAfterS: Math.ceil((window.endsAt - nowMs) / 1000) })
    },
  }
}
