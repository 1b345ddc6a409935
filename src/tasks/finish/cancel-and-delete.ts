// What a client does to its own tasks: cancel one that runs, delete one that has ended.
import type { Principal } from '../../accounts/authenticate.ts'
import { invalid } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { expireTaskFiles } from '../../storage/files.ts'
import { readTask } from '../store/read.ts'
import type { TaskRow } from '../store/task-row.ts'
import { abandonTask, type FinishDeps } from './finish.ts'

type Deps = FinishDeps & { db: Db }

export async function cancelTask(deps: Deps, caller: Principal, taskId: string): Promise<TaskRow> {
  await readTask(deps.db, caller, taskId)
  const failure = { reason: 'canceled', message: 'The task was canceled by its owner.' } as const
  const canceled = await deps.db.transaction((tx) => abandonTask(deps, tx, taskId, failure))
  const task = await readTask(deps.db, caller, taskId)
  if (!canceled) throw invalid([`taskId: the task has ended already (state ${task.state})`])
  return task
}

/** Record, timeline and files go; the ledger stays. */
export async function deleteTask(deps: Deps, caller: Principal, taskId: string): Promise<void> {
  const task = await readTask(deps.db, caller, taskId)
  const nowMs = deps.clock.now()
  const deleted = await deps.db.transaction(async (tx) => {
    const rows = await tx.run(`delete from tasks where id = ? and state in ('success', 'fail')`, [taskId])
    if (rows > 0) await expireTaskFiles(tx, taskId, 'all', nowMs)
    return rows > 0
  })
  if (!deleted) throw invalid([`taskId: the task has not ended (state ${task.state}); cancel it first`])
}
