// Runs the work of many tasks in shared transactions. Everything that is ready when one transaction commits goes into the
// next one, whatever its stage, and each item succeeds or fails by itself. Stages that touch different tasks run side by
// side. A single item starts at once.
import { createBatcher } from '../platform/batcher.ts'
import { asError } from '../platform/errors.ts'
import type { Logger } from '../platform/logger.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { CommitUnknown, type Db, isUnavailable, type Tx } from './db.ts'

/** A stage is one kind of work, such as the ends of tasks. */
export interface Stage<In, Out> {
  /** For the log. */
  name: string
  /**
   * Returns a value or an Error for each item, in order, and must store nothing for an item that gets an Error. When it
   * throws, the transaction is rolled back, and each item runs in its own.
   */
  work(tx: Tx, items: In[]): Promise<(Out | Error)[]>
  /** The rows that the work locks for an item. A task whose job is locked needs no lock of its own. */
  locks?(item: In): Locks
  /** False: the work need not wait for the disk (see TransactionOptions). */
  durable?: boolean
}

export interface Locks {
  /** The job of this subject. */
  jobOf?: string | undefined
  taskId?: string | undefined
}

interface LockedRows {
  jobsOf: string[]
  taskIds: string[]
}

export interface SharedTransactions {
  stage<In, Out>(stage: Stage<In, Out>): (item: In) => Promise<Out>
}

interface SharedOptions {
  db: Db
  log: Logger
  /**
   * Locks the rows of several stages before any of them runs. All transactions lock jobs before tasks, and each in the
   * order of their ids, so that two processes cannot deadlock.
   */
  lock(tx: Tx, rows: LockedRows): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: a batch mixes stages; each stage gets only its own items.
type AnyStage = Stage<any, any>

interface Entry {
  stage: AnyStage
  item: unknown
}

/** The most items that share a transaction. */
export const sharedMax = 512

export function createSharedTransactions({ db, log, lock }: SharedOptions): SharedTransactions {
  const batcher = createBatcher<Entry, unknown>(runOrSplit, { batchMax: sharedMax })

  /** A batch that fails is retried stage by stage, and a stage that fails item by item. */
  async function runOrSplit(entries: Entry[]): Promise<unknown[]> {
    try {
      return await run(entries)
    } catch (error) {
      // No single item causes this error, and retrying each item would not resolve it.
      const isOfAll = error instanceof CommitUnknown || isUnavailable(error)
      if (entries.length === 1 || isOfAll) throw error
      const stages = [...Map.groupBy(entries, ({ stage }) => stage).values()]
      const parts = stages.length > 1 ? stages : entries.map((entry) => [entry])
      const names = [...new Set(entries.map(({ stage }) => stage.name))]
      log.warn({ err: error, stages: names, size: entries.length }, 'a batch failed; its parts are retried alone')
      const results = new Map<Entry, unknown>()
      for (const part of parts) {
        const own = await runOrSplit(part).catch((cause) => part.map(() => asError(cause)))
        for (const [i, entry] of part.entries()) results.set(entry, own[i])
      }
      return entries.map((entry) => results.get(entry))
    }
  }

  function run(entries: Entry[]): Promise<unknown[]> {
    const byStage = Map.groupBy(entries, ({ stage }) => stage)
    const durable = entries.some(({ stage }) => stage.durable ?? true)
    return db.transaction(
      async (tx) => {
        if (byStage.size > 1) await lock(tx, rowsOf(entries))
        const results = new Map<Entry, unknown>()
        const runStage = async ([stage, own]: [AnyStage, Entry[]]) => {
          const items = own.map(({ item }) => item)
          const outcomes = await stage.work(tx, items)
          for (const [i, entry] of own.entries()) results.set(entry, outcomes[i])
        }
        if (areIndependent([...byStage.values()])) await waitForAll([...byStage].map(runStage))
        else for (const stage of byStage) await runStage(stage)
        return entries.map((entry) => results.get(entry))
      },
      { durable },
    )
  }

  return {
    stage: (stage) => (item) => batcher.add({ stage, item }) as Promise<never>,
  }
}

/** No task is part of two stages. A job about a task has the task's id. */
function areIndependent(stages: Entry[][]): boolean {
  const ids = stages.map((own) => new Set(Object.values(rowsOf(own)).flat()))
  const all = new Set(ids.flatMap((own) => [...own]))
  return all.size === ids.reduce((sum, own) => sum + own.size, 0)
}

function rowsOf(entries: Entry[]): LockedRows {
  const locks = entries.map(({ stage, item }) => stage.locks?.(item) ?? {})
  const distinct = (kind: keyof Locks) => [...new Set(locks.flatMap((each) => each[kind] ?? []))]
  return { jobsOf: distinct('jobOf'), taskIds: distinct('taskId') }
}
