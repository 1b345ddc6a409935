// What removing old records costs other requests meanwhile: windows with and without it take turns.
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../support.ts'

const windows = 6
const windowMs = 6_000
/** Between one request and the next. */
const pauseMs = 5
const measured = ['admission', 'a new record', 'the first page of the list']

type Calls = Record<string, () => Promise<unknown>>
/** Times by call, in milliseconds. */
type Times = Record<string, number[]>

interface PurgeCost {
  /** Removed per second while it ran. */
  perSecond: number
  alone: Times
  beside: Times
}

export async function measurePurge(calls: Calls, purge: (signal: AbortSignal) => Promise<number>): Promise<PurgeCost> {
  const cost: PurgeCost = { perSecond: 0, alone: {}, beside: {} }
  let purged = 0
  for (let window = 0; window < windows; window++) {
    await callFor(windowMs, calls, cost.alone)
    const stop = new AbortController()
    const purging = purge(stop.signal)
    await callFor(windowMs, calls, cost.beside)
    stop.abort()
    purged += await purging
  }
  return { ...cost, perSecond: (purged * 1000) / (windows * windowMs) }
}

async function callFor(ms: number, calls: Calls, times: Times): Promise<void> {
  const endMs = performance.now() + ms
  while (performance.now() < endMs) {
    for (const what of measured) {
      const startMs = performance.now()
      await calls[what]!()
      times[what] ??= []
      times[what].push(performance.now() - startMs)
      await sleep(pauseMs)
    }
  }
}

export function describePurge({ perSecond, alone, beside }: PurgeCost): string[] {
  const lines = measured.map((what) => {
    const cells = [0.5, 0.99].map((share) => {
      const [without, during] = [percentile(alone[what]!, share), percentile(beside[what]!, share)]
      const name = share === 0.5 ? 'median' : 'p99'
      return `${name} ${during.toFixed(2)} ms, ${(during / without).toFixed(2)}x of without`
    })
    return `${what} meanwhile: ${cells.join('; ')}`
  })
  return [`${Math.round(perSecond)} old records removed per second`, ...lines]
}
