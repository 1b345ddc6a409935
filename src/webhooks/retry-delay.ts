// When a failed callback is retried, as a pure function.

/** The longest delay that a receiver's `Retry-After` can ask for. */
const retryAfterMaxMs = 3_600_000
const spread = 0.1

interface FailedAttempt {
  /** Attempts made in this round, including this one. */
  attempts: number
  /** The receiver's `Retry-After`, if it sent one. */
  retryAfterMs: number | null
  /** From 0 to 1: the position of the delay within ±10 %, so that callbacks are not all retried at once. */
  random: number
}

/** Milliseconds until the next attempt; null when none is left. */
export function retryDelayMs(
  { attempts, retryAfterMs, random }: FailedAttempt,
  delaysMs: readonly number[],
): number | null {
  const planned = delaysMs[attempts - 1]
  if (planned === undefined) return null
  const spreadMs = Math.round(planned * (1 - spread + 2 * spread * random))
  return Math.max(spreadMs, Math.min(retryAfterMs ?? 0, retryAfterMaxMs))
}
