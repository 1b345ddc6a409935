// The silence watchdog of a live worker: it stops an engine that sends no heartbeat for too long.

export interface SilenceWatch {
  /** Aborts when the engine was silent for too long, or when `outer` aborts. */
  readonly signal: AbortSignal
  readonly expired: boolean
  /** The engine sent a heartbeat. */
  heartbeat(): void
  stop(): void
}

/** Node fires a timer immediately when its delay is longer than this. */
const timerMsMax = 2 ** 31 - 1

export function watchSilence(silenceMs: number, outer: AbortSignal): SilenceWatch {
  const silent = new AbortController()
  let expired = false
  const timer = setTimeout(
    () => {
      expired = true
      silent.abort(new Error('the engine sent no heartbeat'))
    },
    Math.min(silenceMs, timerMsMax),
  )
  timer.unref()
  return {
    signal: AbortSignal.any([outer, silent.signal]),
    get expired() {
      return expired
    },
    heartbeat: () => {
      timer.refresh()
    },
    stop: () => clearTimeout(timer),
  }
}
