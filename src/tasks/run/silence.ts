// The silence watchdog of a live worker: an engine that gives no sign for too long is given up.

export interface SilenceWatch {
  /** Aborts when the engine was silent for too long, or when `outer` aborts. */
  readonly signal: AbortSignal
  readonly expired: boolean
  /** The engine gave a sign of life. */
  sign(): void
  stop(): void
}

/** Node fires a timer at once when it is set for longer. */
const timerMsMax = 2 ** 31 - 1

export function watchSilence(silenceMs: number, outer: AbortSignal): SilenceWatch {
  const silent = new AbortController()
  let expired = false
  const timer = setTimeout(
    () => {
      expired = true
      silent.abort(new Error('the engine gave no sign of life'))
    },
    Math.min(silenceMs, timerMsMax),
  )
  timer.unref()
  return {
    signal: AbortSignal.any([outer, silent.signal]),
    get expired() {
      return expired
    },
    sign: () => {
      timer.refresh()
    },
    stop: () => clearTimeout(timer),
  }
}
