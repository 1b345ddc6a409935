// Attempts as rows: which engine and worker ran a task, and the outcome. Retries and fallbacks are decided by them.
import { inArray, inList, type Param, rowsFrom, rowsParam, type Sql, type Tx } from '../../db/db.ts'
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
  if (ends.length === 0) return
  const columns = { v_task: 'text', v_outcome: 'text', v_reason: 'text', v_at: 'bigint' } as const
  const rows = ends.map(({ taskId, outcome, reason }) => ({
    v_task: taskId,
    v_outcome: outcome,
    v_reason: reason,
    v_at: nowMs,
  }))
  await tx.run(
    `update task_attempts set ended_at = v_at, outcome = v_outcome, reason = v_reason
     from ${rowsFrom(tx, columns)} where task_id = v_task and ${inArray(tx, 'task_id')} and ended_at is null`,
    [rowsParam(rows), JSON.stringify(ends.map(({ taskId }) => taskId))],
  )
}

/** The attempts of a task in order. */
export function readAttempts(sql: Sql, taskId: string): Promise<AttemptRow[]> {
  return sql.all('select * from task_attempts where task_id = ? order by number limit 1000', [taskId])
}

/** The attempts of these tasks in order. */
export async function attemptsOf(sql: Sql, taskIds: string[]): Promise<Map<string, AttemptRow[]>> {
  const rows = await sql.all<AttemptRow>(
    `select * from task_attempts where ${inList(sql, 'task_id')} order by task_id, number`,
    [JSON.stringify(taskIds)],
  )
  return Map.groupBy(rows, (row) => row.task_id)
}

export interface History {
  /** The engine of each attempt that failed, in order. */
  failedOn: string[]
  /** Attempts that found no engine to submit to. */
  unavailable: number
}

export function historyOf(attempts: readonly AttemptRow[]): History {
  return {
    failedOn: attempts.filter(({ outcome }) => outcome === 'failed').map(({ engine }) => engine),
    unavailable: attempts.filter(({ outcome }) => outcome === 'unavailable').length,
  }
}
