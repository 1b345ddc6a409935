// How much an account (or one sub-key) used lately: tasks and credits by day, state and model.
import type { Sql } from '../db/db.ts'
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

/** Failed tasks are free, so they count no credits. */
const sums = `count(*) as tasks, coalesce(sum(case when state = 'fail' then 0 else price end), 0) as credits`

export async function readUsage(sql: Sql, caller: Principal, days: number, nowMs: number): Promise<Usage> {
  const since = nowMs - (nowMs % dayMs) - (days - 1) * dayMs
  const [scope, id] = caller.isSubKey ? ['key_id', caller.keyId] : ['account_id', caller.accountId]
  const where = `from tasks where ${scope} = ? and created_at >= ?`
  const byDay = await sql.all<UsageCount & { day: number }>(
    `select created_at - created_at % ${dayMs} as day, ${sums} ${where} group by 1 order by 1`,
    [id, since],
  )
  return {
    days: byDay.map((row) => ({ ...row, day: new Date(row.day).toISOString().slice(0, 10) })),
    states: await sql.all(`select state, ${sums} ${where} group by state order by state`, [id, since]),
    models: await sql.all(`select model, ${sums} ${where} group by model order by model`, [id, since]),
  }
}
