// Limits on what an engine is given per time: starts and credits. Pure functions of what it was given before.
import type { Rate } from '../../platform/durations.ts'

/** Null when another start fits now, else when one will. `startsMs` are earlier starts in order. */
export function nextStartMs(rate: Rate | null, startsMs: readonly number[], nowMs: number): number | null {
  if (rate === null) return null
  // The start that the next one must not share a window with.
  const startMs = startsMs.at(-rate.requests)
  return startMs === undefined || startMs <= nowMs - rate.perMs ? null : startMs + rate.perMs
}

/** The beginning of the time in which spending is summed up: fixed windows, so that one ends for all at once. */
export function windowStartMs(rate: Rate, nowMs: number): number {
  return Math.floor(nowMs / rate.perMs) * rate.perMs
}

/** Null when nothing was overspent, else when the next window begins. */
export function nextSpendingMs(rate: Rate | null, spent: number, nowMs: number): number | null {
  if (rate === null || spent < rate.requests) return null
  return windowStartMs(rate, nowMs) + rate.perMs
}
