// The state machine of a task. Each move is a compare-and-set: a task that another process moved first stays as it is.
//
//   wait        accepted, its input files are being fetched   → queueing by prepare
//   queueing    waiting for a slot of its engine               → generating by generate
//   generating  an engine works on it                          → success by generate; → queueing for a retry
//   success, fail   final, never left; fail is reached from every other state
//
// A move takes a batch of tasks and returns the moved ones as they are now. Their timeline is read from the task and its
// attempts (store/timeline.ts). The other effects of an end (credits, files, callback) are in tasks/finish/finish.ts.
import { failCodes } from '../../contract/tasks/fail-reasons.ts'
import type { TaskState } from '../../contract/tasks/states.ts'
import { foundById, lockedById, type Param, type RowTypes, rowsFrom, rowsParam, type Tx } from '../../db/db.ts'
import type { TaskFailure, TaskRow } from './task-row.ts'

type Moved = Promise<Map<string, TaskRow>>

/** The input files are stored; the plan is set with the move. */
export function setQueueingIfWaiting(tx: Tx, tasks: { taskId: string; plan: string }[], nowMs: number): Moved {
  return move(
    tx,
    {
      from: ['wait'],
      to: 'queueing',
      set: 'plan = v_plan, queued_at = v_now',
      columns: { v_plan: 'text' },
      isOfJobHolder: true,
    },
    tasks.map(({ taskId, plan }) => ({ taskId, attempt: null, values: { v_plan: plan } })),
    nowMs,
  )
}

export function setGeneratingIfQueueing(tx: Tx, tasks: { taskId: string; attempt: number }[], nowMs: number): Moved {
  return move(
    tx,
    {
      from: ['queueing'],
      to: 'generating',
      set: 'attempt = v_attempt, progress = 0',
      columns: { v_attempt: 'bigint' },
      isOfJobHolder: true,
    },
    tasks.map(({ taskId, attempt }) => ({ taskId, attempt: null, values: { v_attempt: attempt } })),
    nowMs,
  )
}

/** For another attempt. Without `attempt`, any attempt is released; without its handle, the work starts over. */
export function setQueueingIfGenerating(
  tx: Tx,
  tasks: { taskId: string; attempt: number | null; keepHandle: boolean }[],
  nowMs: number,
): Moved {
  const set = 'progress = 0, handle = case when v_keep = 1 then handle end'
  return move(
    tx,
    { from: ['generating'], to: 'queueing', set, columns: { v_keep: 'bigint' } },
    tasks.map(({ taskId, attempt, keepHandle }) => ({ taskId, attempt, values: { v_keep: keepHandle ? 1 : 0 } })),
    nowMs,
  )
}

interface Success {
  taskId: string
  attempt: number
  /** JSON of StoredVideo, DeliveredVideo and Understood. */
  video: string
  delivered: string
  understood: string | null
  expiresAt: number
}

export function setSuccessIfGenerating(tx: Tx, tasks: Success[], nowMs: number): Moved {
  // Plan and handle are needed only by the work, and records are kept for months.
  const set = `progress = 100, plan = null, handle = null, video = v_video, delivered = v_delivered,
    understood = coalesce(v_understood, understood), expires_at = v_expires, completed_at = v_now`
  const columns = { v_video: 'text', v_delivered: 'text', v_understood: 'text', v_expires: 'bigint' } as const
  const rows = tasks.map(({ taskId, attempt, video, delivered, understood, expiresAt }) => ({
    taskId,
    attempt,
    values: { v_video: video, v_delivered: delivered, v_understood: understood, v_expires: expiresAt },
  }))
  return move(tx, { from: ['generating'], to: 'success', set, columns, isOfJobHolder: true }, rows, nowMs)
}

export function setFailIfNotFinal(tx: Tx, tasks: { taskId: string; failure: TaskFailure }[], nowMs: number): Moved {
  // The handle stays, because it is needed to stop the engine.
  const set = 'plan = null, fail_code = v_code, fail_reason = v_reason, fail_msg = v_msg, completed_at = v_now'
  const columns = { v_code: 'text', v_reason: 'text', v_msg: 'text' } as const
  const rows = tasks.map(({ taskId, failure: { reason, message } }) => ({
    taskId,
    attempt: null,
    values: { v_code: failCodes[reason], v_reason: reason, v_msg: message },
  }))
  return move(tx, { from: ['wait', 'queueing', 'generating'], to: 'fail', set, columns }, rows, nowMs)
}

interface Move {
  from: TaskState[]
  to: TaskState
  /** Assignments besides the state and its time, from the columns of `v`. */
  set: string
  columns: RowTypes
  /** The caller has locked the jobs of the tasks, so no other process can wait for two of them in another order. */
  isOfJobHolder?: boolean
}

interface MoveOf {
  taskId: string
  /** The attempt that the task must still have; null for any. */
  attempt: number | null
  values: Record<string, Param>
}

async function move(tx: Tx, { from, to, set, columns, isOfJobHolder }: Move, tasks: MoveOf[], nowMs: number): Moved {
  if (tasks.length === 0) return new Map()
  const rows = tasks.map(({ taskId, attempt, values }) => ({ v_id: taskId, v_of: attempt, v_now: nowMs, ...values }))
  const types: RowTypes = { v_id: 'text', v_of: 'bigint', v_now: 'bigint', ...columns }
  // One statement text per kind of move: names come from here, values from the parameter.
  const moved = await tx.all<TaskRow>(
    `update tasks set ${set}, state = '${to}', state_at = v_now, updated_at = v_now
     from ${rowsFrom(tx, types)} where ${isOfJobHolder ? foundById(tx) : lockedById(tx, 'tasks')}
     and state in (${from.map((state) => `'${state}'`).join(', ')}) and attempt = coalesce(v_of, attempt)
     returning ${tx.dialect === 'sqlite' ? '*' : 'tasks.*'}`,
    [rowsParam(rows), JSON.stringify(tasks.map(({ taskId }) => taskId))],
  )
  return new Map(moved.map((row) => [row.id, row]))
}
