// How much an account (or one sub-key) used lately: tasks and credits by day, state and model.
import { setImmediate } from 'node:timers/promises'
import type { Sql } from '../db/db.ts'
import { firstIdAt } from '../platform/ids.ts'
import type { Principal } from './authenticate.ts'

const dayMs = 86_400_000

export interface UsageCount {
  tasks: number
  credits: number
}

export interface Usage {
  /** UTC days, oldest first, those without tasks left out. */
  days: (UsageCount & { day: string })[]
  states: (UsageCount & { state: string })[]
  models: (UsageCount & { model: string })[]
}

/** No id begins with this or anything behind it. */
const afterAllIds = 'g'

interface Counted extends UsageCount {
  /** When the day begins. */
  day: number
  state: string
  model: string
}

export async function readUsage(sql: Sql, caller: Principal, days: number, nowMs: number): Promise<Usage> {
  const today = nowMs - (nowMs % dayMs)
  const since = today - (days - 1) * dayMs
  const counted: Counted[] = []
  for (let day = since; day <= today; day += dayMs) {
    counted.push(...(await countBetween(sql, caller, since, [day, day < today ? day + dayMs : null])))
    // SQLite answers in this thread: whoever else waits for it gets a turn between the days.
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
 * Counts what was created since then, of the tasks whose ids were made in the range. Ids sort by time and are in the
 * index; a clock that was set back makes them later than the creation, never earlier. Failed tasks are free.
 */
function countBetween(
  sql: Sql,
  caller: Principal,
  sinceMs: number,
  [fromMs, toMs]: [number, number | null],
): Promise<Counted[]> {
  const [scope, id] = caller.isSubKey ? ['key_id', caller.keyId] : ['account_id', caller.accountId]
  return sql.all(
    `select created_at - created_at % ${dayMs} as day, state, model, count(*) as tasks,
       coalesce(sum(case when state = 'fail' then 0 else price end), 0) as credits
     from tasks where ${scope} = ? and id >= ? and id < ? and created_at >= ? group by 1, 2, 3`,
    [id, firstIdAt(fromMs), toMs === null ? afterAllIds : firstIdAt(toMs), sinceMs],
  )
}

/** In the order of their names. */
function sumBy(counted: Counted[], nameOf: (each: Counted) => string): [string, UsageCount][] {
  const sums = new Map<string, UsageCount>()
  for (const each of counted) {
    const sum = sums.get(nameOf(each)) ?? { tasks: 0, credits: 0 }
    sums.set(nameOf(each), { tasks: sum.tasks + each.tasks, credits: sum.credits + each.credits })
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
}
