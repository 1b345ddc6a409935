// Limits how many tasks an engine starts, and how many credits go to it, in a period. Pure functions of its earlier
// starts and their credits.
import type { Rate } from '../../platform/durations.ts'

/** Null when another start fits now, else when one will. `startsMs` are earlier starts in order. */
export function nextStartMs(rate: Rate | null, startsMs: readonly number[], nowMs: number): number | null {
  if (rate === null) return null
  // The next start must not be in the same window as this one.
  const startMs = startsMs.at(-rate.requests)
  // In both directions: the clock may have been set back since.
  return startMs === undefined || Math.abs(nowMs - startMs) >= rate.perMs ? null : startMs + rate.perMs
}

/** The start of the current spending window. Windows are fixed, so that they end at the same time in every process. */
export function windowStartMs(rate: Rate, nowMs: number): number {
  return Math.floor(nowMs / rate.perMs) * rate.perMs
}

/** Null while credits are left in this window, else when the next window begins. */
export function nextSpendingMs(rate: Rate | null, spent: number, nowMs: number): number | null {
  if (rate === null || spent < rate.requests) return null
  return windowStartMs(rate, nowMs) + rate.perMs
}
