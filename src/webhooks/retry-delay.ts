// When a failed callback is tried again: a pure decision. It sends nothing and keeps no time.

/** A receiver may ask for more patience than we planned, up to this much. */
export const retryAfterMaxMs = 3_600_000
const spread = 0.1

export interface FailedTry {
  /** Tries made so far in this round, this one included. */
  tries: number
  /** What the receiver asked for, if it did. */
  retryAfterMs: number | null
  /** From 0 to 1: where in the spread of ±10 % the delay falls, so that receivers are not all called at once. */
  random: number
}

/** Milliseconds until the next try; null when there is none left. */
export function retryDelayMs({ tries, retryAfterMs, random }: FailedTry, delaysMs: readonly number[]): number | null {
  const planned = delaysMs[tries - 1]
  if (planned === undefined) return null
  const spreadMs = Math.round(planned * (1 - spread + 2 * spread * random))
  return Math.max(spreadMs, Math.min(retryAfterMs ?? 0, retryAfterMaxMs))
}

/** Reads `Retry-After`, seconds or an HTTP date; null when it is neither. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  // Only the dates HTTP knows: Date.parse alone would also take "2" or "March".
  const dateMs = /^[A-Z][a-z]{2,8}, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs)
}
