// Periodic upkeep of tasks: fails those queued for too long and purges old records. Each is a `runOnce`.
import { purgeExpired } from '../../admission/idempotency.ts'
import { anyOf, type Db, forUpdate, type Tx } from '../../db/db.ts'
import type { Clock } from '../../platform/clock.ts'
import { drain } from '../../platform/drain.ts'
import { formatDuration } from '../../platform/durations.ts'
import { afterAllIds, idsAreAhead } from '../../platform/ids.ts'
import type { Queue } from '../../queue/queue.ts'
import { expireTaskFiles } from '../../storage/files.ts'
import type { Finish } from '../finish/finish.ts'
import { idsBetween } from '../store/read.ts'
import { deleteEnded } from '../store/store.ts'
import { generateQueue } from '../store/task-jobs.ts'

type Deps = { db: Db; clock: Clock }

const overdueMax = 500
/** Small, because SQLite's one writer and the event loop wait for the whole batch. */
const purgeMax = 50

/**
 * Ends tasks that have waited for an engine for longer than `timeoutMs`. Looks only at jobs that are as old: they are few,
 * however many wait.
 */
export async function failOverdueTasks(
  deps: Deps & { queue: Pick<Queue, 'oldest'>; finish: Finish },
  timeoutMs: number,
): Promise<number> {
  const nowMs = deps.clock.now()
  const overdueAtMs = nowMs - timeoutMs
  const message = `No engine was free for ${formatDuration(timeoutMs)}.`
  const failure = { reason: 'generation_limit', message } as const
  const before = idsAreAhead(nowMs) ? afterAllIds : idsBetween({ untilMs: overdueAtMs }).before!
  const range = { prefix: generateQueue(''), before, limit: overdueMax }
  let ended = 0
  let after = ''
  for (;;) {
    const subjects = await deps.queue.oldest({ ...range, after })
    const overdue = await deps.db.all<{ id: string }>(
      `select id from tasks where ${anyOf(deps.db, 'id')} and state = 'queueing' and state_at < ?`,
      [JSON.stringify(subjects), overdueAtMs],
    )
    await Promise.all(
      overdue.map(({ id }) => deps.finish({ taskId: id, job: null, result: { failure }, stopsEngine: true })),
    )
    ended += overdue.length
    if (subjects.length < overdueMax) return ended
    after = subjects.at(-1)!
  }
}

/** Deletes records that ended longer than `recordTtlMs` ago, and expired idempotency records. */
export async function purgeOldRecords(deps: Deps, recordTtlMs: number, signal: AbortSignal): Promise<number> {
  const nowMs = deps.clock.now()
  await purgeExpired(deps.db, nowMs, signal)
  return drain(
    // If a power cut undoes a deletion, it is repeated.
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
  await expireTaskFiles(tx, ids, [], nowMs)
  await deleteEnded(tx, ids)
  return old.length
}
