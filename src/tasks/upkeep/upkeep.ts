// What time does to tasks: those queued for too long fail, old records are purged. Each is a `runOnce`.
import { type Db, forUpdate, inList, type Tx } from '../../db/db.ts'
import type { Clock } from '../../platform/clock.ts'
import { drain } from '../../platform/drain.ts'
import { formatDuration } from '../../platform/durations.ts'
import { expireFilesOfTasks } from '../../storage/files.ts'
import { idempotencyTtlMs } from '../admission/admit.ts'
import { abandonTask, type FinishDeps } from '../finish/finish.ts'

type Deps = FinishDeps & { db: Db }

const overdueMax = 500
/** Few, because SQLite's one writer and the event loop wait for all of them. */
const purgeMax = 50

/** Ends tasks that have waited for an engine for longer than `timeoutMs`. */
export async function failOverdueTasks(deps: Deps, timeoutMs: number): Promise<number> {
  const overdue = await deps.db.all<{ id: string }>(
    `select id from tasks where state in ('wait', 'queueing') and state = 'queueing' and state_at < ? limit ?`,
    [deps.clock.now() - timeoutMs, overdueMax],
  )
  const message = `No engine was free for ${formatDuration(timeoutMs)}.`
  const failure = { reason: 'generation_limit', message } as const
  for (const { id } of overdue) await deps.db.transaction((tx) => abandonTask(deps, tx, id, failure))
  return overdue.length
}

/** Removes records that ended longer than `recordTtlMs` ago and idempotency records that no longer count. */
export async function purgeOldRecords(
  deps: { db: Db; clock: Clock },
  recordTtlMs: number,
  signal: AbortSignal,
): Promise<number> {
  const nowMs = deps.clock.now()
  await drain(
    () =>
      deps.db.run('delete from idempotency where id in (select id from idempotency where created_at < ? limit ?)', [
        nowMs - idempotencyTtlMs,
        purgeMax,
      ]),
    { batchMax: purgeMax, signal },
  )
  return drain(
    // What a power cut brings back is removed again.
    () => deps.db.transaction((tx) => purgeSome(tx, nowMs - recordTtlMs, nowMs), { durable: false }),
    { batchMax: purgeMax, signal },
  )
}

async function purgeSome(tx: Tx, endedBeforeMs: number, nowMs: number): Promise<number> {
  const old = await tx.all<{ id: string }>(
    `select id from tasks where completed_at < ? order by completed_at limit ? ${forUpdate(tx, 'skip locked')}`,
    [endedBeforeMs, purgeMax],
  )
  const ids = old.map(({ id }) => id)
  await expireFilesOfTasks(tx, ids, nowMs)
  await tx.run(`delete from tasks where ${inList(tx, 'id')}`, [JSON.stringify(ids)])
  return old.length
}
