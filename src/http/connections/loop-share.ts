// Requests that keep the event loop busy for milliseconds, such as pages of a megabyte and large bodies: those of one account run one after
// the other, its keys in turn, and while more of them wait, each is followed by a pause. An account that asks for many at
// once takes a third of the loop; one that asks for one after another waits for nothing.
import { createFairQueue, type FairQueue } from '../../platform/fair-queue.ts'

export interface LoopShare {
  run<T>(caller: { accountId: string; keyId: string }, work: () => Promise<T>): Promise<T>
}

/** The pause, in times of what the work took. */
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
        const pauseMs = Math.min(pauseMsMax, pauseFactor * (performance.now() - startedAt))
        if (waiting.size === 0) accounts.delete(accountId)
        else setTimeout(() => waiting.take()!(), pauseMs)
      }
    },
  }
}
