// What may take how long. The figure is what the service is held to; the deadline is for a machine that is busy with
// other things, and what comes between the two is reported with the machine's load.
import assert from 'node:assert/strict'
import { loadavg } from 'node:os'

export const figureOf = {
  /** A killed worker's job, until another process has it. */
  'run again': { heldMs: 30_000, deadlineMs: 120_000 },
  /** From when PostgreSQL is back until every process uses it. */
  'use PostgreSQL again': { heldMs: 10_000, deadlineMs: 60_000 },
  /** A creation or a read. */
  'respond while storage is away': { heldMs: 2000, deadlineMs: 20_000 },
  /** From the signal to the exit. */
  stop: { heldMs: 30_000, deadlineMs: 120_000 },
} as const

export type Figure = keyof typeof figureOf

export interface Figures {
  slowestMs: Partial<Record<Figure, number>>
  late: string[]
  took(figure: Figure, ms: number, about?: string): void
}

export function createFigures(): Figures {
  const slowestMs: Figures['slowestMs'] = {}
  const late: string[] = []
  return {
    slowestMs,
    late,
    took(figure, ms, about = '') {
      const { heldMs, deadlineMs } = figureOf[figure]
      const words = `it took ${Math.round(ms)} ms to ${figure} ${about}`
      assert.ok(ms <= deadlineMs, words)
      if (ms > heldMs) late.push(`${words} (load ${loadavg()[0]!.toFixed(1)})`)
      slowestMs[figure] = Math.max(slowestMs[figure] ?? 0, Math.round(ms))
    },
  }
}
