// The state machine of a task, one compare-and-set a move: no row changed means that somebody else moved it first.
//
//   wait        accepted, material is being fetched        → queueing by prepare
//   queueing    waiting for a slot of its engine           → generating by generate
//   generating  an engine has it                           → success by generate; → queueing when its worker is lost
//   success, fail   final, never left; fail is reached from every other state
//
// Each move writes the task's timeline. Credits and jobs that go with an end are in tasks/finish.ts.
import type { Tx } from '../db/db.ts'
import type { TaskState } from '../db/query-builder.ts'
import { newId } from '../platform/ids.ts'
import { failCodes, type TaskFailure } from './failures.ts'

/** Material is in place; the plan is stored with the move. */
export function setQueueingIfWaiting(tx: Tx, taskId: string, plan: string, nowMs: number): Promise<boolean> {
  return move(
    tx,
    `update tasks set state = 'queueing', plan = ?, state_at = ?, updated_at = ? where id = ? and state = 'wait'`,
    [plan, nowMs, nowMs, taskId],
    {
      taskId,
      state: 'queueing',
      attempt: 0,
      nowMs,
    },
  )
}

export function setGeneratingIfQueueing(tx: Tx, taskId: string, attempt: number, nowMs: number): Promise<boolean> {
  return move(
    tx,
    `update tasks set state = 'generating', attempt = ?, progress = 0, state_at = ?, updated_at = ? where id = ? and state = 'queueing'`,
    [attempt, nowMs, nowMs, taskId],
    {
      taskId,
      state: 'generating',
      attempt,
      nowMs,
    },
  )
}

/** A worker was lost or its engine failed in a way that another attempt may mend. Null means whichever attempt it is. */
export function setQueueingIfGenerating(
  tx: Tx,
  taskId: string,
  attempt: number | null,
  note: string,
  nowMs: number,
): Promise<boolean> {
  return move(
    tx,
    `update tasks set state = 'queueing', progress = 0, state_at = ?, updated_at = ? where id = ? and state = 'generating' and attempt = coalesce(?, attempt)`,
    [nowMs, nowMs, taskId, attempt],
    {
      taskId,
      state: 'queueing',
      attempt: 0,
      nowMs,
      note,
    },
  )
}

export function setSuccessIfGenerating(
  tx: Tx,
  taskId: string,
  attempt: number,
  end: { video: string; expiresAt: number },
  nowMs: number,
): Promise<boolean> {
  return move(
    tx,
    `update tasks set state = 'success', progress = 100, video = ?, expires_at = ?, completed_at = ?, state_at = ?, updated_at = ? where id = ? and state = 'generating' and attempt = ?`,
    [end.video, end.expiresAt, nowMs, nowMs, nowMs, taskId, attempt],
    { taskId, state: 'success', attempt, nowMs },
  )
}

export function setFailIfNotFinal(tx: Tx, taskId: string, failure: TaskFailure, nowMs: number): Promise<boolean> {
  return move(
    tx,
    `update tasks set state = 'fail', fail_code = ?, fail_reason = ?, fail_msg = ?, completed_at = ?, state_at = ?, updated_at = ? where id = ? and state in ('wait', 'queueing', 'generating')`,
    [failCodes[failure.reason], failure.reason, failure.message, nowMs, nowMs, nowMs, taskId],
    {
      taskId,
      state: 'fail',
      attempt: 0,
      nowMs,
      note: failure.reason,
    },
  )
}

interface Move {
  taskId: string
  state: TaskState
  attempt: number
  nowMs: number
  note?: string
}

async function move(
  tx: Tx,
  sql: string,
  params: (string | number | null)[],
  { taskId, state, attempt, nowMs, note }: Move,
): Promise<boolean> {
  if ((await tx.run(sql, params)) === 0) return false
  await tx.insert('task_moves', [{ id: newId(nowMs), task_id: taskId, at: nowMs, state, attempt, note: note ?? null }])
  return true
}
