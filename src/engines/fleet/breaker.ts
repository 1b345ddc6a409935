// The circuit breaker of an engine as a pure state machine: what counts against it, when it opens, when a probe may
// close it. Time is given, nothing is scheduled.

export interface Breaker {
  /** Tasks that failed through the engine's fault since the last one that succeeded. */
  failures: number
  /** Failed probes in a row. */
  unanswered: number
  /** While open: when a probe may close it. Null while closed. */
  retryAtMs: number | null
  /** How often it opened since a task last succeeded; each time it stays open for longer. */
  openings: number
}

export type BreakerEvent = 'succeeded' | 'failed' | 'probe answered' | 'probe unanswered'

export const closedBreaker: Breaker = { failures: 0, unanswered: 0, retryAtMs: null, openings: 0 }

const failuresMax = 3
const unansweredMax = 2
const openMsFirst = 5_000
const openMsMax = 5 * 60_000

/** 5, 10, 20, 40, … seconds, at most 5 minutes. */
export function openMs(openings: number): number {
  return Math.min(openMsFirst * 2 ** (openings - 1), openMsMax)
}

export function isOpen(breaker: Breaker): boolean {
  return breaker.retryAtMs !== null
}

export function nextBreaker(breaker: Breaker, event: BreakerEvent, nowMs: number): Breaker {
  switch (event) {
    case 'succeeded':
      return closedBreaker
    case 'failed': {
      const failed = { ...breaker, failures: breaker.failures + 1 }
      return isOpen(breaker) || failed.failures < failuresMax ? failed : opened(failed, nowMs)
    }
    case 'probe answered': {
      if (!isOpen(breaker)) return { ...breaker, unanswered: 0 }
      if (nowMs < breaker.retryAtMs!) return breaker
      // On trial: the next failure opens it again, for longer.
      return { ...breaker, failures: failuresMax - 1, unanswered: 0, retryAtMs: null }
    }
    case 'probe unanswered': {
      const silent = { ...breaker, unanswered: breaker.unanswered + 1 }
      const due = isOpen(breaker) ? nowMs >= breaker.retryAtMs! : silent.unanswered >= unansweredMax
      return due ? opened(silent, nowMs) : silent
    }
  }
}

function opened(breaker: Breaker, nowMs: number): Breaker {
  const openings = breaker.openings + 1
  return { ...breaker, openings, retryAtMs: nowMs + openMs(openings) }
}
