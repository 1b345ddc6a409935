// Tasks by minute: how many were created, succeeded and failed lately. A minute that is over is counted once.
import { countedJobsMax } from '../../contract/operator.ts'
import type { ThroughputMinute } from '../../contract/operator-queues.ts'
import type { Db } from '../../db/db.ts'
import { firstIdAt } from '../../platform/ids.ts'

const minuteMs = 60_000
const minutes = 60
/** Transactions of a minute may commit this long after it. */
const settledAfterMs = 30_000

/** Reads of one process share what they counted. */
export function createThroughput(db: Db): (nowMs: number) => Promise<ThroughputMinute[]> {
  const settled = new Map<number, ThroughputMinute>()
  return async (nowMs) => {
    const first = nowMs - (nowMs % minuteMs) - (minutes - 1) * minuteMs
    for (const minute of settled.keys()) if (minute < first) settled.delete(minute)
    const found: ThroughputMinute[] = []
    for (let minute = first; minute <= nowMs; minute += minuteMs) {
      const counted = settled.get(minute) ?? (await countMinute(db, minute))
      if (minute + minuteMs + settledAfterMs < nowMs) settled.set(minute, counted)
      found.push(counted)
    }
    return found
  }
}

/** Each part reads a bounded range of one index. */
async function countMinute(db: Db, minute: number): Promise<ThroughputMinute> {
  const end = minute + minuteMs
  const [created, ended] = await Promise.all([
    db.one<{ created: number }>(
      `select count(*) as created from (select 1 from tasks where id >= ? and id < ? limit ${countedJobsMax}) as counted`,
      [firstIdAt(minute), firstIdAt(end)],
    ),
    db.one<{ succeeded: number; failed: number }>(
      `select count(case when state = 'success' then 1 end) as succeeded, count(case when state = 'fail' then 1 end) as failed
       from (select state from tasks where completed_at >= ? and completed_at < ? limit ${countedJobsMax}) as counted`,
      [minute, end],
    ),
  ])
  return { minute, created: created!.created, succeeded: ended!.succeeded, failed: ended!.failed }
}
