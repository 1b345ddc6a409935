// A clock that a test sets.
import type { Clock } from '../../src/platform/clock.ts'

/** A clock that changes only when it is set. */
export function createManualClock(startMs: number): Clock & { advance(ms: number): void } {
  let nowMs = startMs
  return {
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms
    },
  }
}
