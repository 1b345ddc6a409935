// The state machine of a task, one compare-and-set a move: no row changed means that somebody else moved it first.
//
//   wait        accepted, material is being fetched        → queueing by prepare
//   queueing    waiting for a slot of its engine           → generating by generate
//   generating  an engine has it                           → success by generate; → queueing when its worker is lost
//   success, fail   final, never left; fail is reached from every other state
//
// Each move answers the task as it is now, or undefined, and writes its timeline. Credits and jobs that go with an end
// are in tasks/finish/finish.ts.

import { failCodes } from '../../contract/fail-reasons.ts'
import type { TaskState } from '../../contract/task-states.ts'
import type { Param, Tx } from '../../db/db.ts'
import { newId } from '../../platform/ids.ts'
import type { TaskFailure } from './failures.ts'
import type { TaskRow } from './task-row.ts'

type Moved = Promise<TaskRow | undefined>

/** Material is in place; the plan is stored with the move. */
export function setQueueingIfWaiting(tx: Tx, taskId: string, plan: string, nowMs: number): Moved {
  return move(tx, { taskId, from: ['wait'], to: 'queueing', set: { plan } }, nowMs)
}

export function setGeneratingIfQueueing(tx: Tx, taskId: string, attempt: number, nowMs: number): Moved {
  return move(tx, { taskId, from: ['queueing'], to: 'generating', set: { attempt, progress: 0 } }, nowMs)
}

/** A worker was lost or its engine failed in a way that another attempt may mend. Null means whichever attempt it is. */
export function setQueueingIfGenerating(
  tx: Tx,
  taskId: string,
  attempt: number | null,
  note: string,
  nowMs: number,
): Moved {
  return move(tx, { taskId, from: ['generating'], attempt, to: 'queueing', set: { progress: 0 }, note }, nowMs)
}

export function setSuccessIfGenerating(
  tx: Tx,
  taskId: string,
  attempt: number,
  end: { video: string; expiresAt: number },
  nowMs: number,
): Moved {
  // What only the work needed goes with it: records are kept for months, and lie half as wide without.
  const needed = { plan: null, handle: null }
  const set = { progress: 100, video: end.video, expires_at: end.expiresAt, completed_at: nowMs, ...needed }
  return move(tx, { taskId, from: ['generating'], attempt, to: 'success', set }, nowMs)
}

export function setFailIfNotFinal(tx: Tx, taskId: string, failure: TaskFailure, nowMs: number): Moved {
  const set = {
    // The handle stays: it is read to stop the engine.
    plan: null,
    fail_code: failCodes[failure.reason],
    fail_reason: failure.reason,
    fail_msg: failure.message,
    completed_at: nowMs,
  }
  return move(tx, { taskId, from: ['wait', 'queueing', 'generating'], to: 'fail', set, note: failure.reason }, nowMs)
}

interface Move {
  taskId: string
  from: TaskState[]
  /** The attempt that must still be the task's; null or nothing for any. */
  attempt?: number | null
  to: TaskState
  set: Record<string, Param>
  note?: string
}

async function move(
  tx: Tx,
  { taskId, from, attempt, to, set, note }: Move,
  nowMs: number,
): Promise<TaskRow | undefined> {
  const columns = { ...set, state: to, state_at: nowMs, updated_at: nowMs }
  // One text for each kind of move: names come from here, values are parameters.
  const moved = await tx.one<TaskRow>(
    `update tasks set ${Object.keys(columns).join(' = ?, ')} = ?
     where id = ? and state in (${from.map((state) => `'${state}'`).join(', ')}) and attempt = coalesce(?, attempt)
     returning *`,
    [...Object.values(columns), taskId, attempt ?? null],
  )
  if (moved) await tx.run(insertMove, [newId(nowMs), taskId, taskId, nowMs, nowMs, to, moved.attempt, note ?? null])
  return moved
}

/**
 * `nowMs` was read before the task's row was locked, and another process may have moved it meanwhile with a later
 * time: the timeline still runs in the order of the moves.
 */
const insertMove = `insert into task_moves (id, task_id, at, state, attempt, note)
  values (?, ?, coalesce((select max(at) from task_moves where task_id = ? and at > ?), ?), ?, ?, ?)`
