// Runs the work of many tasks in shared transactions: items that are ready when one transaction commits go into the
// next, and each item succeeds or fails by itself. A single item starts at once.
import { createBatcher } from '../platform/batcher.ts'
import type { Logger } from '../platform/logger.ts'
import { CommitUnknownError, DatabaseBusyError, type Db, type TransactionOptions, type Tx } from './db.ts'

export interface SharedOptions extends TransactionOptions {
  log: Logger
  /** Describes the items in the log. */
  name: string
  batchMax?: number
}

const defaultBatchMax = 256

/**
 * `work` returns a value or an Error for each item, in order, and must store nothing for an item that gets an Error.
 * When it throws, the batch is rolled back and each item runs in its own transaction.
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
        // No single item causes this error, and retrying each item would not resolve it.
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
