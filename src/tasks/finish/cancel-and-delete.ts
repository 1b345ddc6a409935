// What a client can do with its own tasks: cancel an unfinished one, delete a finished one.

import type { Principal } from '../../accounts/keys/authenticate.ts'
import { type Actor, recordAct } from '../../audit/audit.ts'
import { invalidField } from '../../contract/errors.ts'
import { isFinal } from '../../contract/tasks/states.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { FreeWork } from '../../limits/free-work.ts'
import type { Clock } from '../../platform/clock.ts'
import { expireTaskFiles } from '../../storage/files.ts'
import { readTask } from '../store/read.ts'
import { deleteEnded } from '../store/store.ts'
import type { TaskRow } from '../store/task-row.ts'
import type { Finish } from './finish.ts'

/** Roughly the computing time that preparing a task takes, which is wasted when the task is canceled. */
const preparedMs = 500

export interface CancelDeps {
  db: Db
  finish: Finish
  freeWork: FreeWork
}

export async function cancelTask(deps: CancelDeps, caller: Principal, taskId: string): Promise<void> {
  const task = await readTask(deps.db, caller, taskId)
  if (await cancelIfOpen(deps, task)) return
  const { state } = await readTask(deps.db, caller, taskId)
  throw invalidField('taskId', `the task has ended already (state ${state})`)
}

/** False when the task had already ended. */
export async function cancelIfOpen(deps: CancelDeps, task: TaskRow): Promise<boolean> {
  const failure = { reason: 'canceled', message: 'The task was canceled by its owner.' } as const
  const canceled = await deps.finish({ taskId: task.id, job: null, result: { failure }, stopsEngine: true })
  if (!canceled) return false
  // What a task that still waits has used is counted when its preparation stops.
  if (task.state !== 'wait') deps.freeWork.spend({ accountId: task.account_id, keyId: task.key_id }, preparedMs)
  return true
}

export interface DeleteDeps {
  db: Db
  clock: Clock
  /** In the same transaction: deletes what other parts keep about the task. */
  onDeleted(tx: Tx, taskId: string): Promise<void>
}

/** Deletes record, timeline, files and stored callbacks; the ledger stays. */
export async function deleteTask(deps: DeleteDeps, caller: Principal, by: Actor, taskId: string): Promise<void> {
  let task = await readTask(deps.db, caller, taskId)
  while (!(await deleteIfEnded(deps, caller, by, task))) {
    // If it ended after the attempt, the loop runs again. If another request deleted it, it is not found.
    task = await readTask(deps.db, caller, taskId)
    if (!isFinal(task.state)) {
      throw invalidField('taskId', `the task has not ended (state ${task.state}); cancel it first`)
    }
  }
}

function deleteIfEnded(deps: DeleteDeps, caller: Principal, by: Actor, task: TaskRow): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    if ((await deleteEnded(tx, [task.id])) === 0) return false
    await expireTaskFiles(tx, [task.id], [], deps.clock.now())
    await deps.onDeleted(tx, task.id)
    const before = { account: caller.accountName, model: task.model, state: task.state }
    await recordAct(tx, by, { action: 'task.delete', target: task.id, before }, deps.clock.now())
    return true
  })
}
