// How long a server asks to be left alone.

/** Parses `Retry-After`, in seconds or as an HTTP date; null when it is neither. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  // Only HTTP dates: Date.parse alone would also accept "2" or "March".
  const dateMs = /^[A-Z][a-z]{2,8}, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs)
}
