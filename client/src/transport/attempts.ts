// Does something again while that makes sense. Whether it does, and after which pause, is decided in retry.ts.
import { DailiesError } from '../errors.ts'
import { delayBeforeTry, isWorthAnotherTry, type Repeat } from './retry.ts'
import { pause } from './time-limit.ts'

export interface Tries {
  max: number
  repeat: Repeat
  signal: AbortSignal | undefined
}

export async function withTries<T>({ max, repeat, signal }: Tries, tryOnce: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryOnce()
    } catch (error) {
      if (!(error instanceof DailiesError)) throw error
      error.tries = tries
      const delayMs = delayBeforeTry(tries, error.retryAfterMs, Math.random())
      if (tries >= max || delayMs === null || !isWorthAnotherTry(error, repeat)) throw error
      await pause(delayMs, signal)
    }
  }
}
