// Repeats a request while that makes sense. Whether it does, and after which pause, is decided in retry.ts.
import { DailiesError } from '../errors.ts'
import { delayBeforeRetry, isRetryable, type Repeat } from './retry.ts'
import { pause } from './time-limit.ts'

export interface Attempts {
  max: number
  repeat: Repeat
  signal: AbortSignal | undefined
}

export async function withRetries<T>({ max, repeat, signal }: Attempts, tryOnce: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryOnce()
    } catch (error) {
      if (!(error instanceof DailiesError)) throw error
      error.tries = tries
      const delayMs = delayBeforeRetry(tries, error.retryAfterMs, Math.random())
      if (tries >= max || delayMs === null || !isRetryable(error, repeat)) throw error
      await pause(delayMs, signal)
    }
  }
}
