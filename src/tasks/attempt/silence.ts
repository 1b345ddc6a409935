// The silence watchdog of a live worker: it stops an engine that sends no heartbeat for too long.

export interface SilenceWatch {
  /** Aborts when the engine was silent for too long, or when `outer` aborts. */
  readonly signal: AbortSignal
  readonly expired: boolean
  /** The engine sent a heartbeat. */
  heartbeat(): void
  /** Work of this process, which is no silence of the engine: the time starts again when it ends. */
  whilePaused<T>(work: () => Promise<T>): Promise<T>
  stop(): void
}

/** Node fires a timer immediately when its delay is longer than this. */
const timerMsMax = 2 ** 31 - 1

export function watchSilence(silenceMs: number, outer: AbortSignal): SilenceWatch {
  const silent = new AbortController()
  let expired = false
  let stopped = false
  const timer = setTimeout(
    () => {
      if (paused > 0) return
      expired = true
      silent.abort(new Error('the engine sent no heartbeat'))
    },
    Math.min(silenceMs, timerMsMax),
  )
  timer.unref()
  let paused = 0
  return {
    signal: AbortSignal.any([outer, silent.signal]),
    get expired() {
      return expired
    },
    heartbeat: () => {
      timer.refresh()
    },
    async whilePaused(work) {
      paused++
      try {
        return await work()
      } finally {
        paused--
        // Also where the timer has fired in between. A stopped timer stays stopped.
        if (!stopped) timer.refresh()
      }
    },
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
