// What time does to tasks: those queued for too long fail, old records are purged. Each is a `runOnce`.
import type { Db } from '../db/db.ts'
import { formatDuration } from '../platform/durations.ts'
import { expireTaskFiles } from '../storage/files.ts'
import { idempotencyTtlMs } from './admit.ts'
import { abandonTask, type FinishDeps } from './finish.ts'

type Deps = FinishDeps & { db: Db }

const batchMax = 500

/** Ends tasks that have waited for an engine for longer than `timeoutMs`. */
export async function failOverdueTasks(deps: Deps, timeoutMs: number): Promise<number> {
  const overdue = await deps.db.all<{ id: string }>(
    `select id from tasks where state in ('wait', 'queueing') and state = 'queueing' and state_at < ? limit ?`,
    [deps.clock.now() - timeoutMs, batchMax],
  )
  const message = `No engine was free for ${formatDuration(timeoutMs)}.`
  const failure = { reason: 'generation_limit', message } as const
  for (const { id } of overdue) await deps.db.transaction((tx) => abandonTask(deps, tx, id, failure))
  return overdue.length
}

/** Removes records that ended longer than `recordTtlMs` ago and idempotency records that no longer count. */
export async function purgeOldRecords(deps: Deps, recordTtlMs: number): Promise<number> {
  const nowMs = deps.clock.now()
  await deps.db.run('delete from idempotency where created_at < ?', [nowMs - idempotencyTtlMs])
  const old = await deps.db.all<{ id: string }>('select id from tasks where completed_at < ? limit ?', [
    nowMs - recordTtlMs,
    batchMax,
  ])
  await deps.db.transaction(async (tx) => {
    for (const { id } of old) {
      await expireTaskFiles(tx, id, 'all', nowMs)
      await tx.run('delete from tasks where id = ?', [id])
    }
  })
  return old.length
}
