// Group commit: runs the work of many items in shared transactions. Everything that is ready when one transaction commits goes into the
// next one, whatever its stage, and each item succeeds or fails by itself. Stages that touch different tasks run side by
// side. A single item starts at once.
import type { Db, Tx } from '../db/db.ts'
import { mayBeOfOneItem } from '../db/retry.ts'
import { createBatcher } from '../platform/batcher.ts'
import { asError } from '../platform/errors.ts'
import type { Logger } from '../platform/logger.ts'
import { waitForAll } from '../platform/wait-for-all.ts'

/** A stage is one kind of work, such as the ends of tasks. */
export interface CommitStage<In, Out> {
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

export interface GroupCommit {
  stage<In, Out>(stage: CommitStage<In, Out>): (item: In) => Promise<Out>
  /** Items that wait or are in a running batch, of all stages. */
  readonly pending: number
  /** How long the oldest running batch has been running; 0 when there is none. */
  readonly batchAgeMs: number
}

interface GroupCommitOptions {
  db: Db
  log: Logger
  /**
   * Locks the rows of several stages before any of them runs. All transactions lock jobs before tasks, and each in the
   * order of their ids, so that two processes cannot deadlock. Not needed for a single stage.
   */
  lock?(tx: Tx, rows: LockedRows): Promise<void>
  /** 1 turns coalescing off, for comparison. */
  batchMax?: number | undefined
  /** Later items do not wait longer than this for a batch that is stuck. */
  stuckAfterMs?: number
}

// biome-ignore lint/suspicious/noExplicitAny: a batch mixes stages; each stage gets only its own items.
type AnyStage = CommitStage<any, any>

interface Entry {
  stage: AnyStage
  item: unknown
}

/** The most items that share a transaction. */
export const sharedMax = 512

export function createGroupCommit({ db, log, lock, batchMax, stuckAfterMs }: GroupCommitOptions): GroupCommit {
  const batcher = createBatcher<Entry, unknown>(runOrSplit, {
    batchMax: batchMax ?? sharedMax,
    ...(stuckAfterMs === undefined ? {} : { stuckAfterMs }),
  })

  /** A batch that fails is retried stage by stage, and a stage that fails item by item. */
  async function runOrSplit(entries: Entry[]): Promise<unknown[]> {
    try {
      return await run(entries)
    } catch (error) {
      if (entries.length === 1 || !mayBeOfOneItem(error)) throw error
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
    const durable = [...byStage.keys()].some((stage) => stage.durable ?? true)
    return db.transaction(
      async (tx) => {
        const [first] = byStage.keys()
        if (byStage.size === 1) return first!.work(tx, itemsOf(entries))
        await lock?.(tx, rowsOf(entries))
        const results = new Map<Entry, unknown>()
        const runStage = async ([stage, own]: [AnyStage, Entry[]]) => {
          const outcomes = await stage.work(tx, itemsOf(own))
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
    get pending() {
      return batcher.pending
    },
    get batchAgeMs() {
      return batcher.batchAgeMs
    },
  }
}

const itemsOf = (entries: Entry[]) => entries.map(({ item }) => item)

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
