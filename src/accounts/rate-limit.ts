// Requests a key may make in any window of its rate: exact, by remembering when each of the last N was made.
// In memory, per process.
import type { Rate } from '../platform/durations.ts'

export interface RateDecision {
  allowed: boolean
  remaining: number
  /** Until the oldest remembered request leaves the window. */
  resetMs: number
}

export interface RateLimiter {
  take(keyId: string, rate: Rate, nowMs: number): RateDecision
}

/** Keys remembered at most; the longest unused are forgotten first. */
const keysMax = 100_000

/** The times of the last `requests` requests of one key, as a ring that grows with use. */
interface Ring {
  times: Float64Array
  head: number
  size: number
}

export function createRateLimiter(): RateLimiter {
  const rings = new Map<string, Ring>()

  return {
    take(keyId, rate, nowMs) {
      const ring = rings.get(keyId) ?? { times: new Float64Array(16), head: 0, size: 0 }
      // Re-inserting keeps the map in order of last use.
      rings.delete(keyId)
      rings.set(keyId, ring)
      if (rings.size > keysMax) rings.delete(rings.keys().next().value!)

      while (ring.size > 0 && ring.times[ring.head]! <= nowMs - rate.perMs) {
        ring.head = (ring.head + 1) % ring.times.length
        ring.size--
      }
      const allowed = ring.size < rate.requests
      if (allowed) push(ring, nowMs)
      const oldest = ring.size > 0 ? ring.times[ring.head]! : nowMs
      return { allowed, remaining: Math.max(0, rate.requests - ring.size), resetMs: oldest + rate.perMs - nowMs }
    },
  }
}

function push(ring: Ring, timeMs: number) {
  if (ring.size === ring.times.length) {
    const grown = new Float64Array(ring.times.length * 2)
    for (let i = 0; i < ring.size; i++) grown[i] = ring.times[(ring.head + i) % ring.times.length]!
    ring.times = grown
    ring.head = 0
  }
  ring.times[(ring.head + ring.size) % ring.times.length] = timeMs
  ring.size++
}
