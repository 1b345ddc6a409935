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
import type { Param, Tx } from '../../db/db.ts'
import { updateEach } from '../../db/update-each.ts'
import type { TaskFailure, TaskRow } from './task-row.ts'

type Moved = Promise<Map<string, TaskRow>>

/** The input files are stored; the plan is set with the move. */
export function setQueueingIfWaiting(tx: Tx, tasks: { taskId: string; plan: string }[], nowMs: number): Moved {
  return move(
    tx,
    {
      from: ['wait'],
      to: 'queueing',
      set: ({ plan, now }) => `plan = ${plan}, queued_at = ${now}`,
      columns: { plan: 'text' },
      isOfJobHolder: true,
    },
    tasks.map(({ taskId, plan }) => ({ taskId, attempt: null, values: { plan } })),
    nowMs,
  )
}

export function setGeneratingIfQueueing(tx: Tx, tasks: { taskId: string; attempt: number }[], nowMs: number): Moved {
  return move(
    tx,
    {
      from: ['queueing'],
      to: 'generating',
      set: ({ attempt }) => `attempt = ${attempt}, progress = 0`,
      columns: { attempt: 'bigint' },
      isOfJobHolder: true,
    },
    tasks.map(({ taskId, attempt }) => ({ taskId, attempt: null, values: { attempt } })),
    nowMs,
  )
}

/** For another attempt. Without `attempt`, any attempt is released; without its handle, the work starts over. */
export function setQueueingIfGenerating(
  tx: Tx,
  tasks: { taskId: string; attempt: number | null; keepHandle: boolean }[],
  nowMs: number,
): Moved {
  return move(
    tx,
    {
      from: ['generating'],
      to: 'queueing',
      set: ({ keep }) => `progress = 0, handle = case when ${keep} = 1 then handle end`,
      columns: { keep: 'bigint' },
    },
    tasks.map(({ taskId, attempt, keepHandle }) => ({ taskId, attempt, values: { keep: keepHandle ? 1 : 0 } })),
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
  const set: SetOf<'video' | 'delivered' | 'understood' | 'expires'> = ({
    video,
    delivered,
    understood,
    expires,
    now,
  }) =>
    `progress = 100, plan = null, handle = null, video = ${video}, delivered = ${delivered},
     understood = coalesce(${understood}, understood), expires_at = ${expires}, completed_at = ${now}`
  const columns = { video: 'text', delivered: 'text', understood: 'text', expires: 'bigint' } as const
  const rows = tasks.map(({ taskId, attempt, video, delivered, understood, expiresAt }) => ({
    taskId,
    attempt,
    values: { video, delivered, understood, expires: expiresAt },
  }))
  return move(tx, { from: ['generating'], to: 'success', set, columns, isOfJobHolder: true }, rows, nowMs)
}

export function setFailIfNotFinal(tx: Tx, tasks: { taskId: string; failure: TaskFailure }[], nowMs: number): Moved {
  // The handle stays, because it is needed to stop the engine.
  const set: SetOf<'code' | 'reason' | 'msg'> = ({ code, reason, msg, now }) =>
    `plan = null, fail_code = ${code}, fail_reason = ${reason}, fail_msg = ${msg}, completed_at = ${now}`
  const columns = { code: 'text', reason: 'text', msg: 'text' } as const
  const rows = tasks.map(({ taskId, failure: { reason, message } }) => ({
    taskId,
    attempt: null,
    values: { code: failCodes[reason], reason, msg: message },
  }))
  return move(tx, { from: ['wait', 'queueing', 'generating'], to: 'fail', set, columns }, rows, nowMs)
}

/** Assignments besides the state and its times. */
type SetOf<Name extends string> = (value: Record<Name | 'now', string>) => string

interface Move<Name extends string> {
  from: TaskState[]
  to: TaskState
  set: SetOf<Name>
  columns: Record<Name, 'text' | 'bigint'>
  /** The caller has locked the jobs of the tasks, so no other process can wait for two of them in another order. */
  isOfJobHolder?: boolean
}

interface MoveOf<Name extends string> {
  taskId: string
  /** The attempt that the task must still have; null for any. */
  attempt: number | null
  values: Record<Name, Param>
}

async function move<Name extends string>(
  tx: Tx,
  { from, to, set, columns, isOfJobHolder = false }: Move<Name>,
  tasks: MoveOf<NoInfer<Name>>[],
  nowMs: number,
): Moved {
  const moved = await updateEach<TaskRow, Name | 'of' | 'now'>(
    tx,
    {
      table: 'tasks',
      columns: { ...columns, of: 'bigint', now: 'bigint' },
      set: (value) => `${set(value)}, state = '${to}', state_at = ${value.now}, updated_at = ${value.now}`,
      where: ({ of }) =>
        `state in (${from.map((state) => `'${state}'`).join(', ')}) and attempt = coalesce(${of}, attempt)`,
      returning: ['*'],
      areLocked: isOfJobHolder,
    },
    tasks.map(({ taskId, attempt, values }) => ({ id: taskId, ...values, of: attempt, now: nowMs })),
  )
  return new Map(moved.map((row) => [row.id, row]))
}
