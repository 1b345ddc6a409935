// How often an account may have callbacks sent again, or test events sent: they cost nothing and go to any URL.
import type { Principal } from '../../../accounts/keys/authenticate.ts'
import { createRateLimiter } from '../../../accounts/rate-limit.ts'
import { apiError } from '../../../contract/errors.ts'
import type { Clock } from '../../../platform/clock.ts'

export interface ResendLimit {
  /** Throws where the account has sent too much. */
  take(caller: Principal): void
}

export const resendsPerMinute = 60
const rate = { requests: resendsPerMinute, perMs: 60_000 }

export function createResendLimit(clock: Clock): ResendLimit {
  const limiter = createRateLimiter()
  return {
    take({ accountId }) {
      const { allowed, resetMs } = limiter.take(accountId, rate, clock.now())
      if (!allowed) throw apiError('too_many_resends', { max: rate.requests, retryAfterS: Math.ceil(resetMs / 1000) })
    },
  }
}
