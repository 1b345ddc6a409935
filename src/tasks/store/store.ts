// Writes tasks: creation, changes that keep the state, and deletion. Moves between states are in moves.ts, attempts in
// attempts.ts; nothing outside this folder writes them.
import { createGroupCommit, type GroupCommit } from '../../commit/group-commit.ts'
import { anyOf, type Db, lockRows, type Param, type Sql, type Tx } from '../../db/db.ts'
import { updateEach } from '../../db/update-each.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Queue } from '../../queue/queue.ts'

/** PostgreSQL refuses entries of an index that are longer than 2,704 bytes. */
const searchTextBytesMax = 2000

interface SearchedRequest {
  prompt: string
  shots: readonly { prompt: string }[]
}

/** What searches look through, or null: then they read the prompts of the task (see `promptHas`). */
export function searchTextOf({ prompt, shots }: SearchedRequest): string | null {
  const text = [prompt, ...(shots.length > 0 ? [shots.map((shot) => shot.prompt).join(' / ')] : [])]
    .join('\n')
    .toLowerCase()
  return Buffer.byteLength(text) <= searchTextBytesMax ? text : null
}

export function insertTasks(tx: Tx, rows: Record<string, Param>[]): Promise<void> {
  return tx.insert('tasks', rows)
}

export const isTaskStored = async (sql: Sql, id: string): Promise<boolean> =>
  (await sql.one('select id from tasks where id = ?', [id])) !== undefined

export const lockTasks = (tx: Tx, ids: string[]): Promise<void> => lockRows(tx, 'tasks', ids)

/** Transactions that the work of many tasks shares. Each locks jobs before tasks. */
export function createTaskTransactions(deps: { db: Db; log: Logger; queue: Pick<Queue, 'lock'> }): GroupCommit {
  return createGroupCommit({
    ...deps,
    async lock(tx, { jobsOf, taskIds }) {
      await deps.queue.lock(tx, jobsOf)
      await lockTasks(tx, taskIds)
    },
  })
}

/** Null when no task waits. */
export async function virtualStartOfFirstWaiting(tx: Tx): Promise<number | null> {
  const head = await tx.one<{ virtual_start: number }>(
    `select virtual_start from tasks where completed_at is null and state in ('wait', 'queueing')
     order by virtual_finish limit 1`,
  )
  return head?.virtual_start ?? null
}

export interface Progress {
  taskId: string
  attempt: number
  percent: number
  /** JSON of what the engine read from the prompt, once it is known. */
  understood: string | null
}

/** Progress never goes back, and belongs to a running attempt. Returns the tasks whose record changed. */
export async function setProgress(tx: Tx, reports: Progress[], nowMs: number): Promise<string[]> {
  const changed = await updateEach<{ id: string }, 'attempt' | 'percent' | 'understood' | 'at'>(
    tx,
    {
      table: 'tasks',
      columns: { attempt: 'bigint', percent: 'bigint', understood: 'text', at: 'bigint' },
      set: ({ percent, understood, at }) =>
        `progress = ${percent}, understood = coalesce(${understood}, understood), updated_at = ${at}`,
      where: ({ attempt, percent }) => `attempt = ${attempt} and state = 'generating' and progress <= ${percent}`,
      returning: ['id'],
      areLocked: false,
    },
    reports.map(({ taskId, ...report }) => ({ id: taskId, ...report, at: nowMs })),
  )
  return changed.map(({ id }) => id)
}

export interface KeptHandle {
  taskId: string
  attempt: number
  /** As JSON. */
  handle: string
}

/**
 * Stores the handle that finds the engine's work again after a crash. Returns the tasks that still have this attempt.
 */
export async function setHandles(tx: Tx, handles: KeptHandle[]): Promise<string[]> {
  const kept = await updateEach<{ id: string }, 'attempt' | 'handle'>(
    tx,
    {
      table: 'tasks',
      columns: { attempt: 'bigint', handle: 'text' },
      set: ({ handle }) => `handle = ${handle}`,
      where: ({ attempt }) => `attempt = ${attempt} and state = 'generating'`,
      returning: ['id'],
      areLocked: false,
    },
    handles.map(({ taskId, ...kept }) => ({ id: taskId, ...kept })),
  )
  return kept.map(({ id }) => id)
}

/** False when the task no longer waits for this engine. The handle of the former engine is deleted. */
export async function changeEngine(tx: Tx, taskId: string, change: { from: string; to: string }): Promise<boolean> {
  const text = `update tasks set engine = ?, handle = null where id = ? and engine = ? and state = 'queueing'`
  return (await tx.run(text, [change.to, taskId, change.from])) > 0
}

/** Deletes ended tasks with their timeline and attempts. Returns how many there were. */
export async function deleteEnded(tx: Tx, taskIds: string[]): Promise<number> {
  const list = JSON.stringify(taskIds)
  const deleted = await tx.run(`delete from tasks where ${anyOf(tx, 'id')} and state in ('success', 'fail')`, [list])
  if (deleted > 0) {
    for (const table of ['task_attempts', 'input_retries']) {
      await tx.run(`delete from ${table} where ${anyOf(tx, 'task_id')}`, [list])
    }
  }
  return deleted
}
