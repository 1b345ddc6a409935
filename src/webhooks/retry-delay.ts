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

/** Parses `Retry-After`, in seconds or as an HTTP date; null when it is neither. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  // Only HTTP dates: Date.parse alone would also accept "2" or "March".
  const dateMs = /^[A-Z][a-z]{2,8}, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs)
}
