// What an account, or one sub-key, used lately: tasks, charged inference requests and credits by day, state and model.
import { setImmediate } from 'node:timers/promises'
import type { Usage } from '../contract/accounts.ts'
import type { Sql } from '../db/db.ts'
import { firstIdAt } from '../platform/ids.ts'
import type { Principal } from './keys/authenticate.ts'

const dayMs = 86_400_000

interface UsageCount {
  tasks: number
  credits: number
}

type IdRange = [from: string, to: string]

/** Sorts after every id. */
const afterAllIds = 'g'

interface Counted extends UsageCount {
  /** The start of the day, in epoch milliseconds. */
  day: number
  state: string
  model: string
}

export async function readUsage(sql: Sql, caller: Principal, days: number, nowMs: number): Promise<Usage> {
  const today = nowMs - (nowMs % dayMs)
  const since = today - (days - 1) * dayMs
  const counted: Counted[] = []
  for (let day = since; day <= today; day += dayMs) {
    const range: IdRange = [firstIdAt(day), day < today ? firstIdAt(day + dayMs) : afterAllIds]
    counted.push(...(await countTasks(sql, caller, since, range)), ...(await countCharges(sql, caller, since, range)))
    // SQLite runs in this thread: other requests get their turn between the days.
    await setImmediate()
  }
  return {
    days: sumBy(counted, (each) => new Date(each.day).toISOString().slice(0, 10)).map(([day, sums]) => ({
      day,
      ...sums,
    })),
    states: sumBy(counted, ({ state }) => state).map(([state, sums]) => ({ state, ...sums })),
    models: sumBy(counted, ({ model }) => model).map(([model, sums]) => ({ model, ...sums })),
  }
}

/**
 * Counts the tasks created since then whose ids are in the range. Ids sort by time and are in the index; a clock that
 * was set back makes an id later than its creation time, never earlier. Failed tasks are free.
 */
function countTasks(sql: Sql, caller: Principal, sinceMs: number, [from, to]: IdRange): Promise<Counted[]> {
  const [scope, id] = caller.isSubKey ? ['key_id', caller.keyId] : ['account_id', caller.accountId]
  return sql.all(
    `select created_at - created_at % ${dayMs} as day, state, model, count(*) as tasks,
       coalesce(sum(case when state = 'fail' then 0 else price end), 0) as credits
     from tasks where ${scope} = ? and id >= ? and id < ? and created_at >= ? group by 1, 2, 3`,
    [id, from, to, sinceMs],
  )
}

/** Inference is charged when it succeeds, and counts like a task that did. A request may be deleted before its charge. */
function countCharges(sql: Sql, caller: Principal, sinceMs: number, [from, to]: IdRange): Promise<Counted[]> {
  return sql.all(
    `select l.created_at - l.created_at % ${dayMs} as day, 'success' as state, coalesce(r.model, 'inference') as model,
       count(*) as tasks, coalesce(sum(-l.amount), 0) as credits
     from ledger l left join inference_requests r on r.id = l.task_id
     where l.account_id = ? and l.id >= ? and l.id < ? and l.created_at >= ? and l.kind = 'charge'
       ${caller.isSubKey ? 'and l.key_id = ?' : ''} group by 1, 2, 3`,
    [caller.accountId, from, to, sinceMs, ...(caller.isSubKey ? [caller.keyId] : [])],
  )
}

/** In order of their names. */
function sumBy(counted: Counted[], nameOf: (each: Counted) => string): [string, UsageCount][] {
  const sums = new Map<string, UsageCount>()
  for (const each of counted) {
    const sum = sums.get(nameOf(each)) ?? { tasks: 0, credits: 0 }
    sums.set(nameOf(each), { tasks: sum.tasks + each.tasks, credits: sum.credits + each.credits })
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
}
