// Repeats a request while retrying makes sense. Whether it does, and after which pause, is decided in retry.ts.
import { DailiesError } from '../errors.ts'
import { delayBeforeRetry, isRetryable, type Repeat } from './retry.ts'
import { pause } from './time-limit.ts'

/** A failed request that waits for its retry. */
export interface Retry {
  /** What went wrong. */
  error: DailiesError
  /** How long it waits. */
  delayMs: number
  /** Resolves when the pause is over, however it ended. */
  over: Promise<void>
  /** Ends the pause now. */
  tryNow(): void
  /** Gives up: the request fails with the error. */
  stop(): void
}

export interface Attempts {
  max: number
  repeat: Repeat
  signal: AbortSignal | undefined
  onRetry?: ((retry: Retry) => void) | undefined
}

export async function withRetries<T>(
  { max, repeat, signal, onRetry }: Attempts,
  tryOnce: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryOnce()
    } catch (error) {
      if (!(error instanceof DailiesError)) throw error
      error.tries = tries
      const delayMs = delayBeforeRetry(tries, error.retryAfterMs, Math.random())
      if (tries >= max || delayMs === null || !isRetryable(error, repeat)) throw error
      await (onRetry ? reportedPause(onRetry, error, delayMs, signal) : pause(delayMs, signal))
    }
  }
}

function reportedPause(
  onRetry: (retry: Retry) => void,
  error: DailiesError,
  delayMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const cut = new AbortController()
  const tryNow = Symbol('try now')
  const onAbort = () => cut.abort(signal!.reason)
  if (signal?.aborted) onAbort()
  else signal?.addEventListener('abort', onAbort, { once: true })
  const wait = pause(delayMs, cut.signal)
    .catch((reason) => {
      if (reason !== tryNow) throw reason
    })
    .finally(() => signal?.removeEventListener('abort', onAbort))
  onRetry({
    error,
    delayMs,
    over: wait.catch(() => {}),
    tryNow: () => cut.abort(tryNow),
    stop: () => cut.abort(error),
  })
  return wait
}
