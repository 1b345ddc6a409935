// What removing old records costs those who create tasks meanwhile: windows with and without it take turns.
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../support.ts'

const windows = 6
const windowMs = 5_000
/** Between one creation and the next. */
const pauseMs = 5

export interface PurgeCost {
  /** Removed a second while it ran. */
  perSecond: number
  /** Times of creations, in milliseconds. */
  alone: number[]
  beside: number[]
}

export async function measurePurge(
  create: () => Promise<unknown>,
  purge: (signal: AbortSignal) => Promise<number>,
): Promise<PurgeCost> {
  const cost: PurgeCost = { perSecond: 0, alone: [], beside: [] }
  let purged = 0
  for (let window = 0; window < windows; window++) {
    cost.alone.push(...(await createFor(windowMs, create)))
    const stop = new AbortController()
    const purging = purge(stop.signal)
    cost.beside.push(...(await createFor(windowMs, create)))
    stop.abort()
    purged += await purging
  }
  return { ...cost, perSecond: (purged * 1000) / (windows * windowMs) }
}

async function createFor(ms: number, create: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const endMs = performance.now() + ms
  while (performance.now() < endMs) {
    const startMs = performance.now()
    await create()
    times.push(performance.now() - startMs)
    await sleep(pauseMs)
  }
  return times
}

export function describePurge({ perSecond, alone, beside }: PurgeCost): string {
  const cells = [0.5, 0.99].map((share) => {
    const [without, during] = [percentile(alone, share), percentile(beside, share)]
    const name = share === 0.5 ? 'median' : 'p99'
    return `${name} ${during.toFixed(2)} ms, ${(during / without).toFixed(2)}x of without`
  })
  return `${Math.round(perSecond)} old records removed a second; admission meanwhile: ${cells.join('; ')}`
}
