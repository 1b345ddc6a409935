// A value that is read from something that may not respond, such as a database. Callers wait for it only briefly and get
// the latest value, with its age and whether its source responds.

export interface Latest<T> {
  /** Reads again if the value is older than `everyMs`. Resolves after `waitMs` at the latest, and never rejects. */
  refresh(): Promise<void>
  /** Undefined before the first read has succeeded. */
  readonly value: T | undefined
  /** How old the value is; null before the first. */
  readonly ageMs: number | null
  /** The latest read did not fail, and no read has gone without a response for longer than `overdueMs`. */
  readonly isUp: boolean
}

interface LatestOptions {
  everyMs: number
  waitMs: number
  /** Slow is not away: a source that takes this long under load still counts as up. */
  overdueMs: number
  /** Errors that only mean that the source is slow. */
  isSlow?(error: unknown): boolean
}

/** Reads never overlap, however often the value is asked for. */
export function keepLatest<T>(read: () => Promise<T>, options: LatestOptions): Latest<T> {
  const { everyMs, waitMs, overdueMs, isSlow = () => false } = options
  let latest: { value: T; atMs: number } | null = null
  let running: Promise<void> | null = null
  let startedAtMs = Number.NEGATIVE_INFINITY
  /** When the first read began that has had no success since. */
  let unconfirmedSinceMs: number | null = null
  let hasFailed = false

  async function readOnce(): Promise<void> {
    startedAtMs = performance.now()
    unconfirmedSinceMs ??= startedAtMs
    try {
      latest = { value: await read(), atMs: performance.now() }
      hasFailed = false
      unconfirmedSinceMs = null
    } catch (error) {
      hasFailed ||= !isSlow(error)
    } finally {
      running = null
    }
  }

  return {
    async refresh() {
      if (!running && performance.now() - startedAtMs >= everyMs) running = readOnce()
      if (!running) return
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, waitMs)
      await Promise.race([running, late])
      clearTimeout(timer)
    },
    get value() {
      return latest?.value
    },
    get ageMs() {
      return latest && performance.now() - latest.atMs
    },
    get isUp() {
      if (hasFailed) return false
      return unconfirmedSinceMs === null || performance.now() - unconfirmedSinceMs < overdueMs
    },
  }
}
