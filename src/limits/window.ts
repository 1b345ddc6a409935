// So many per time: a Window limits how often something happens within any window of a rate. Exact, because it stores the
// times of the last N events of each name. In memory, for one process; shared-window.ts counts for all servers together.
import type { ApiError } from '../contract/errors.ts'
import type { Rate } from '../platform/durations.ts'
import { createRecentMap } from '../platform/recent-map.ts'

export interface WindowDecision {
  allowed: boolean
  remaining: number
  /** Milliseconds until the oldest counted event leaves the window. */
  resetMs: number
}

export interface Window {
  /** Counts an event of this name, if it is allowed. */
  take(name: string, rate: Rate, nowMs: number): WindowDecision
}

/** A window in memory or in the database. */
export interface AnyWindow {
  take(name: string, rate: Rate, nowMs: number): WindowDecision | Promise<WindowDecision>
}

/** The refusal of a row of the table where an event is not allowed. */
export function refusalOf(
  { refuse }: { refuse(of: { retryAfterS: number }): ApiError },
  { allowed, resetMs }: WindowDecision,
): ApiError | null {
  return allowed ? null : refuse({ retryAfterS: secondsUntil(resetMs) })
}

export const secondsUntil = (resetMs: number) => Math.max(1, Math.ceil(resetMs / 1000))

/** The times of the last events of one name, in a ring buffer that grows with use. */
interface Ring {
  times: Float64Array
  head: number
  size: number
}

export function createWindow(namesMax = 100_000): Window {
  const rings = createRecentMap<Ring>(namesMax)
  return {
    take(name, rate, nowMs) {
      const ring = rings.get(name) ?? { times: new Float64Array(16), head: 0, size: 0 }
      rings.set(name, ring)
      dropOld(ring, rate.perMs, nowMs)
      const allowed = ring.size < rate.requests
      if (allowed) push(ring, nowMs)
      const oldestMs = ring.size > 0 ? ring.times[ring.head]! : nowMs
      return { allowed, remaining: Math.max(0, rate.requests - ring.size), resetMs: oldestMs + rate.perMs - nowMs }
    },
  }
}

/**
 * Time differences count in both directions, so that a clock that was set back by an hour does not refuse a name for an
 * hour.
 */
function dropOld(ring: Ring, perMs: number, nowMs: number): void {
  while (ring.size > 0 && Math.abs(nowMs - ring.times[ring.head]!) >= perMs) {
    ring.head = (ring.head + 1) % ring.times.length
    ring.size--
  }
}

function push(ring: Ring, timeMs: number): void {
  if (ring.size === ring.times.length) {
    const grown = new Float64Array(ring.times.length * 2)
    for (let i = 0; i < ring.size; i++) grown[i] = ring.times[(ring.head + i) % ring.times.length]!
    ring.times = grown
    ring.head = 0
  }
  ring.times[(ring.head + ring.size) % ring.times.length] = timeMs
  ring.size++
}

/**
 * A window for events that are left out in silence, such as log lines: `report` is called with their number, a window after
 * the first of them.
 */
export function createQuietWindow(rate: Rate, report: (leftOut: number) => void): () => boolean {
  const window = createWindow(1)
  let leftOut = 0
  return () => {
    const { allowed } = window.take('', rate, performance.now())
    if (!allowed && leftOut++ === 0) {
      setTimeout(() => {
        report(leftOut)
        leftOut = 0
      }, rate.perMs).unref()
    }
    return allowed
  }
}
