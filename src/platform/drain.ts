// Works off a backlog in small batches with pauses in between, so that other work can use the database.
import { setTimeout as sleep } from 'node:timers/promises'

/** Each pause is this many times as long as its batch: a backlog of millions uses a tenth of SQLite's writer. */
const restFactor = 9

/**
 * Runs `workBatch`, which returns how many items it did, until one did fewer than `batchMax` or the signal aborts.
 * Returns the total.
 */
export async function drain(
  workBatch: () => Promise<number>,
  { batchMax, signal }: { batchMax: number; signal: AbortSignal },
): Promise<number> {
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
