// Requests that may keep the event loop busy for milliseconds, such as large bodies and pages of a megabyte. Those of one
// account run one after the other, its keys in turn, and while more of them wait, a long one is followed by a pause: an
// account that asks for many at once takes a third of the loop. One that asks for one after another waits for nothing.
import { createFairQueue, type FairQueue } from '../../platform/fair-queue.ts'

export interface LoopShare {
  run<T>(caller: { accountId: string; keyId: string }, work: () => Promise<T>): Promise<T>
}

/** Work as short as this, as most pages are, needs no pause. */
const shortMs = 5
/** The pause after longer work, as a multiple of the time it took. */
const pauseFactor = 2
const pauseMsMax = 200

export function createLoopShare(): LoopShare {
  /** The requests that wait, of each account that has one running. */
  const accounts = new Map<string, FairQueue<() => void>>()

  return {
    async run({ accountId, keyId }, work) {
      const waiting = accounts.get(accountId) ?? createFairQueue<() => void>()
      if (accounts.has(accountId)) await new Promise<void>((resolve) => waiting.add([keyId], resolve))
      else accounts.set(accountId, waiting)
      const startedAt = performance.now()
      try {
        return await work()
      } finally {
        const tookMs = performance.now() - startedAt
        const next = () => waiting.take()!()
        // Requests that arrived meanwhile are read from their sockets first: on SQLite, work ends in the turn it began in.
        setImmediate(() => {
          if (waiting.size === 0) accounts.delete(accountId)
          else if (tookMs <= shortMs) next()
          else setTimeout(next, Math.min(pauseMsMax, pauseFactor * tookMs))
        })
      }
    },
  }
}
