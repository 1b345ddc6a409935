// Reads and writes durations (`250ms`, `5s`, `10m`, `1h`, `14d`) and rates (`5/10s`).

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds, or null when the text is not a duration. */
export function parseDuration(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim())
  if (!match) return null
  const ms = Number(match[1]) * unitMs[match[2]!]!
  return Number.isSafeInteger(Math.round(ms)) ? Math.round(ms) : null
}

export interface Rate {
  requests: number
  perMs: number
}

/** `5/10s` or `100/m`; null when the text is not a rate. */
export function parseRate(text: string): Rate | null {
  const match = /^(\d+)\/(.+)$/.exec(text.trim())
  if (!match) return null
  const perMs = parseDuration(/^[a-z]+$/.test(match[2]!) ? `1${match[2]}` : match[2]!)
  const requests = Number(match[1])
  return perMs && requests > 0 && Number.isSafeInteger(requests) ? { requests, perMs } : null
}

/** The shortest exact spelling of a duration. */
export function formatDuration(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's']) {
    if (ms > 0 && ms % unitMs[unit]! === 0) return `${ms / unitMs[unit]!}${unit}`
  }
  return `${ms}ms`
}
