// Attempts as rows: which engine and worker ran a task, and the outcome. Retries and fallbacks are decided by them.
import { anyOf, type Param, type Sql, type Tx } from '../../db/db.ts'
import { updateEach } from '../../db/update-each.ts'
import type { AttemptRow, Outcome } from './task-row.ts'

type NewAttempt = Pick<AttemptRow, 'task_id' | 'number' | 'engine' | 'worker' | 'claim'>

export async function beginAttempts(tx: Tx, attempts: NewAttempt[], nowMs: number): Promise<void> {
  const rows: Record<string, Param>[] = attempts.map((attempt) => ({ ...attempt, started_at: nowMs }))
  await tx.insert('task_attempts', rows)
}

interface AttemptEnd {
  taskId: string
  outcome: Outcome
  /** The reason, for people; null where the outcome says it. */
  reason: string | null
}

/** Ends the running attempts of these tasks. */
export async function endAttempts(tx: Tx, ends: AttemptEnd[], nowMs: number): Promise<void> {
  await updateEach(
    tx,
    {
      table: 'task_attempts',
      by: 'task_id',
      columns: { at: 'bigint', outcome: 'text', reason: 'text' },
      set: ({ at, outcome, reason }) => `ended_at = ${at}, outcome = ${outcome}, reason = ${reason}`,
      where: () => 'ended_at is null',
      areLocked: true,
    },
    ends.map(({ taskId, outcome, reason }) => ({ id: taskId, at: nowMs, outcome, reason })),
  )
}

/** The attempts of a task in order. */
export function readAttempts(sql: Sql, taskId: string): Promise<AttemptRow[]> {
  return sql.all('select * from task_attempts where task_id = ? order by number limit 1000', [taskId])
}

/** The attempts of these tasks in order. */
export async function attemptsOf(sql: Sql, taskIds: string[]): Promise<Map<string, AttemptRow[]>> {
  const rows = await sql.all<AttemptRow>(
    `select * from task_attempts where ${anyOf(sql, 'task_id')} order by task_id, number`,
    [JSON.stringify(taskIds)],
  )
  return Map.groupBy(rows, (row) => row.task_id)
}

export interface History {
  /** The engine of each attempt that failed, in order. */
  failedOn: string[]
  /** Attempts that found no engine to submit to. */
  unavailable: number
  /** How many of the latest attempts ended with a crash of their worker, and nothing else in between. */
  crashes: number
}

export function historyOf(attempts: readonly AttemptRow[]): History {
  return {
    failedOn: attempts.filter(({ outcome }) => outcome === 'failed').map(({ engine }) => engine),
    unavailable: attempts.filter(({ outcome }) => outcome === 'unavailable').length,
    crashes: attempts.length - 1 - attempts.findLastIndex(({ outcome }) => outcome !== 'worker_crashed'),
  }
}
