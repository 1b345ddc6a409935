// Limits the requests of a key in any window of its rate. Exact, because it stores the times of the last N requests. In
// memory, for a process that serves alone; several processes share a rate through accounts/rate-leases.ts.
import type { Rate } from '../platform/durations.ts'
import { createRecentMap } from '../platform/recent-map.ts'

interface RateDecision {
  allowed: boolean
  remaining: number
  /** Milliseconds until the oldest stored request leaves the window. */
  resetMs: number
}

export interface RateLimiter {
  take(keyId: string, rate: Rate, nowMs: number): RateDecision | Promise<RateDecision>
}

const keysMax = 100_000

/** The times of the last requests of one key, in a ring buffer that grows with use. */
export interface Ring {
  times: Float64Array
  head: number
  size: number
}

export const newRing = (): Ring => ({ times: new Float64Array(16), head: 0, size: 0 })

/** Decides synchronously, without other processes. */
interface SoleRateLimiter extends RateLimiter {
  take(keyId: string, rate: Rate, nowMs: number): RateDecision
}

export function createRateLimiter(): SoleRateLimiter {
  const rings = createRecentMap<Ring>(keysMax)

  return {
    take(keyId, rate, nowMs) {
      const ring = rings.get(keyId) ?? newRing()
      rings.set(keyId, ring)
      const allowed = usedIn(ring, rate.perMs, nowMs) < rate.requests
      if (allowed) push(ring, nowMs)
      return { allowed, remaining: Math.max(0, rate.requests - ring.size), resetMs: resetMs(ring, rate.perMs, nowMs) }
    },
  }
}

/**
 * The number of requests in the window that ends now; older ones are dropped. Time differences count in both
 * directions, so that a clock that was set back by an hour does not refuse a key for an hour.
 */
export function usedIn(ring: Ring, perMs: number, nowMs: number): number {
  while (ring.size > 0 && Math.abs(nowMs - ring.times[ring.head]!) >= perMs) {
    ring.head = (ring.head + 1) % ring.times.length
    ring.size--
  }
  return ring.size
}

export function resetMs(ring: Ring, perMs: number, nowMs: number): number {
  return (ring.size > 0 ? ring.times[ring.head]! : nowMs) + perMs - nowMs
}

export function push(ring: Ring, timeMs: number) {
  if (ring.size === ring.times.length) {
    const grown = new Float64Array(ring.times.length * 2)
    for (let i = 0; i < ring.size; i++) grown[i] = ring.times[(ring.head + i) % ring.times.length]!
    ring.times = grown
    ring.head = 0
  }
  ring.times[(ring.head + ring.size) % ring.times.length] = timeMs
  ring.size++
}
