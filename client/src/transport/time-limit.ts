// Waiting that the caller's signal can end: a pause, and a limit after which work is aborted.

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

interface TimeLimit {
  /** Aborts when the time is over, or with the caller's signal. */
  signal: AbortSignal
  /** Whether the time was over. */
  expired(): boolean
  /** Restarts the timer. */
  restart(ms: number): void
  /** Stops the timer and detaches from the caller's signal. */
  clear(): void
}

export function startTimeLimit(ms: number, outer: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController()
  let isExpired = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const onAbort = () => controller.abort(outer!.reason)
  if (outer?.aborted) onAbort()
  else outer?.addEventListener('abort', onAbort, { once: true })
  const limit: TimeLimit = {
    signal: controller.signal,
    expired: () => isExpired,
    restart(nextMs) {
      clearTimeout(timer)
      timer = setTimeout(() => {
        isExpired = true
        controller.abort(new Error('the time is over'))
      }, nextMs)
    },
    clear() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', onAbort)
    },
  }
  limit.restart(ms)
  return limit
}
