// Works off a backlog in small batches, and rests in between, so that whoever needs the database gets it meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'

/** Rests this many times as long as a batch took: a backlog of millions takes a tenth of the time of SQLite's writer. */
const restFactor = 9

export interface DrainOptions {
  batchMax: number
  /** Ends it after the batch that is under way. */
  signal: AbortSignal
}

/** Runs `workBatch`, which answers how many it did, until one did fewer than `batchMax`. Answers how many in all. */
export async function drain(workBatch: () => Promise<number>, { batchMax, signal }: DrainOptions): Promise<number> {
  let total = 0
  for (;;) {
    const startMs = performance.now()
    const done = await workBatch()
    total += done
    if (done < batchMax || signal.aborted) return total
    const restMs = (performance.now() - startMs) * restFactor
    await sleep(restMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return total
  }
}
