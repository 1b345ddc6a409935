// Work of many tasks in shared transactions: whatever is ready when the last transaction commits goes into the next,
// each item decided on its own. A lone item starts at once.
import { createBatcher } from '../platform/batcher.ts'
import type { Logger } from '../platform/logger.ts'
import { CommitUnknownError, DatabaseBusyError, type Db, type TransactionOptions, type Tx } from './db.ts'

export interface SharedOptions extends TransactionOptions {
  log: Logger
  /** For the log: what the items are. */
  name: string
  batchMax?: number
}

const defaultBatchMax = 256

/**
 * `work` returns a value or an Error for each item, in order; it must leave nothing behind for an item that it returns an
 * Error for. When it throws, nothing of the batch was kept: each item is then done in a transaction of its own.
 */
export function shareTransactions<In, Out>(
  db: Db,
  work: (tx: Tx, items: In[]) => Promise<(Out | Error)[]>,
  { log, name, batchMax = defaultBatchMax, ...options }: SharedOptions,
): (item: In) => Promise<Out> {
  const run = (items: In[]) => db.transaction((tx) => work(tx, items), options)
  const batcher = createBatcher<In, Out>(
    async (items) => {
      try {
        return await run(items)
      } catch (error) {
        // Not to blame on one item, and not mended by asking again for each.
        const isOfAll = error instanceof CommitUnknownError || error instanceof DatabaseBusyError
        if (items.length === 1 || isOfAll) throw error
        log.warn({ err: error, batch: name, size: items.length }, 'a batch failed; each of its items is retried alone')
        const results: (Out | Error)[] = []
        for (const item of items) {
          results.push(
            await run([item]).then(
              ([result]) => result!,
              (cause) => (cause instanceof Error ? cause : new Error(String(cause))),
            ),
          )
        }
        return results
      }
    },
    { batchMax },
  )
  return (item) => batcher.add(item)
}
