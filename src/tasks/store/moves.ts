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

type Moved<Row = TaskRow> = Promise<Map<string, Row>>

/** What the job of a waiting task is made of. */
const queuedColumns = ['id', 'account_id', 'engine', 'attempt', 'virtual_finish'] as const
export type QueuedTask = Pick<TaskRow, (typeof queuedColumns)[number]>

/** The input files are stored; the plan is set with the move. */
export function setQueueingIfWaiting(
  tx: Tx,
  tasks: { taskId: string; plan: string }[],
  nowMs: number,
): Moved<QueuedTask> {
  return move(
    tx,
    {
      from: ['wait'],
      to: 'queueing',
      set: (own) => `plan = ${own.plan}, queued_at = ${own.now}`,
      columns: { plan: 'text' },
      returning: queuedColumns,
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
      set: (own) => `attempt = ${own.attempt}, progress = 0`,
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
): Moved<QueuedTask> {
  return move(
    tx,
    {
      from: ['generating'],
      to: 'queueing',
      set: (own) => `progress = 0, handle = case when ${own.keep} = 1 then handle end`,
      columns: { keep: 'bigint' },
      returning: queuedColumns,
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
  return move(
    tx,
    {
      from: ['generating'],
      to: 'success',
      // Plan and handle are needed only by the work, and records are kept for months.
      set: (own) => `progress = 100, plan = null, handle = null, video = ${own.video}, delivered = ${own.delivered},
        understood = coalesce(${own.understood}, understood), expires_at = ${own.expiresAt}, completed_at = ${own.now}`,
      columns: { video: 'text', delivered: 'text', understood: 'text', expiresAt: 'bigint' },
      isOfJobHolder: true,
    },
    tasks.map(({ taskId, attempt, ...values }) => ({ taskId, attempt, values })),
    nowMs,
  )
}

export function setFailIfNotFinal(tx: Tx, tasks: { taskId: string; failure: TaskFailure }[], nowMs: number): Moved {
  return move(
    tx,
    {
      from: ['wait', 'queueing', 'generating'],
      to: 'fail',
      // The handle stays, because it is needed to stop the engine.
      set: (own) => `plan = null, fail_code = ${own.code}, fail_reason = ${own.reason}, fail_msg = ${own.message},
        completed_at = ${own.now}`,
      columns: { code: 'text', reason: 'text', message: 'text' },
    },
    tasks.map(({ taskId, failure: { reason, message } }) => ({
      taskId,
      attempt: null,
      values: { code: failCodes[reason], reason, message },
    })),
    nowMs,
  )
}

interface Move<Name extends string, Column extends keyof TaskRow> {
  from: TaskState[]
  to: TaskState
  /** Assignments besides the state and its times, from the SQL of the task's own values. */
  set(own: Record<Name | 'now', string>): string
  columns: Record<Name, 'text' | 'bigint'>
  /** Columns of the moved tasks; all of them unless it names some. */
  returning?: readonly Column[]
  /** The caller has locked the jobs of the tasks, so no other process can wait for two of them in another order. */
  isOfJobHolder?: boolean
}

interface MoveOf<Name extends string> {
  taskId: string
  /** The attempt that the task must still have; null for any. */
  attempt: number | null
  values: Record<Name, Param>
}

async function move<Name extends string, Column extends keyof TaskRow = keyof TaskRow>(
  tx: Tx,
  { from, to, set, columns, returning, isOfJobHolder = false }: Move<Name, Column>,
  tasks: MoveOf<NoInfer<Name>>[],
  nowMs: number,
): Moved<Pick<TaskRow, Column | 'id'>> {
  const states = from.map((state) => `'${state}'`).join(', ')
  const moved = await updateEach<Pick<TaskRow, Column | 'id'>, Name | 'ofAttempt' | 'now'>(
    tx,
    {
      table: 'tasks',
      columns: { ...columns, ofAttempt: 'bigint', now: 'bigint' },
      set: (own) => `${set(own)}, state = '${to}', state_at = ${own.now}, updated_at = ${own.now}`,
      where: (own) => `state in (${states}) and attempt = coalesce(${own.ofAttempt}, attempt)`,
      returning: returning ?? ['*'],
      areLocked: isOfJobHolder,
    },
    tasks.map(({ taskId, attempt, values }) => ({ id: taskId, ...values, ofAttempt: attempt, now: nowMs })),
  )
  return new Map(moved.map((row) => [row.id, row]))
}
