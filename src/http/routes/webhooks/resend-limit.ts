// How often an account may have callbacks sent again, or test events sent: they cost nothing and go to any URL. Servers on
// one PostgreSQL share the rate, as they share those of keys.
import type { Principal } from '../../../accounts/keys/authenticate.ts'
import type { RateLimiter } from '../../../accounts/rate-limit.ts'
import { apiError } from '../../../contract/errors.ts'
import type { Clock } from '../../../platform/clock.ts'

export interface ResendLimit {
  /** Rejects where the account has sent too much. */
  take(caller: Principal): Promise<void>
}

export const resendsPerMinute = 60
const rate = { requests: resendsPerMinute, perMs: 60_000 }

export function createResendLimit({ clock, rateLimiter }: { clock: Clock; rateLimiter: RateLimiter }): ResendLimit {
  return {
    async take({ accountId }) {
      const { allowed, resetMs } = await rateLimiter.take(`resends of ${accountId}`, rate, clock.now())
      if (!allowed) throw apiError('too_many_resends', { max: rate.requests, retryAfterS: Math.ceil(resetMs / 1000) })
    },
  }
}
