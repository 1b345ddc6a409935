// What an account, or one sub-key, used lately: tasks, charged inference requests and credits by day, state, model
// and key, and how long its tasks took.
import { setImmediate } from 'node:timers/promises'
import type { Principal } from '../accounts/keys/authenticate.ts'
import { type Usage, usageKeysMax } from '../contract/accounts.ts'
import { blamesRequest } from '../contract/tasks/fail-reasons.ts'
import { anyOf, type Sql } from '../db/db.ts'
import { ownedBetween, whereClause } from '../db/where-clause.ts'
import { afterAllIds, firstIdAt } from '../platform/ids.ts'

const dayMs = 86_400_000

interface UsageCount {
  tasks: number
  credits: number
}

type IdRange = [from: string, to: string]

interface Counted extends UsageCount {
  /** The start of the day, in epoch milliseconds. */
  day: number
  state: string
  model: string
  keyId: string
  /** Empty unless it failed. */
  reason: string
}

export async function readUsage(sql: Sql, caller: Principal, days: number, nowMs: number): Promise<Usage> {
  const today = nowMs - (nowMs % dayMs)
  const since = today - (days - 1) * dayMs
  const counted: Counted[] = []
  for await (const range of boundedRanges(sql, 'tasks', scopeOf(caller), since)) {
    counted.push(...(await countTasks(sql, caller, since, range)))
  }
  for await (const range of boundedRanges(sql, 'ledger', ['account_id', caller.accountId], since)) {
    counted.push(...(await countCharges(sql, caller, since, range)))
  }
  return {
    days: sumBy(counted, (each) => new Date(each.day).toISOString().slice(0, 10)).map(([day, sums]) => ({
      day,
      ...sums,
    })),
    outcomes: outcomesOf(counted),
    states: sumBy(counted, ({ state }) => state).map(([state, sums]) => ({ state, ...sums })),
    models: sumBy(counted, ({ model }) => model).map(([model, sums]) => ({ model, ...sums })),
    keys: await nameKeys(sql, mostUsed(sumBy(counted, ({ keyId }) => keyId))),
    times: timesOf(await recentTimes(sql, caller, since)),
  }
}

/** SQLite runs in this thread: other requests get their turn after this many rows. */
const countedAtOnce = { sqlite: 1000, postgres: 20_000 }

/** The ids of one owner's rows since then, in ranges of a bounded number of rows. */
async function* boundedRanges(
  sql: Sql,
  table: 'tasks' | 'ledger',
  [scope, owner]: Scope,
  sinceMs: number,
): AsyncGenerator<IdRange> {
  for (let from = firstIdAt(sinceMs); ; ) {
    const { where, params } = whereClause(ownedBetween(scope, owner, { from }))
    const next = await sql.one<{ id: string }>(
      `select id from ${table} ${where} order by ${scope}, id limit 1 offset ${countedAtOnce[sql.dialect]}`,
      params,
    )
    yield [from, next?.id ?? afterAllIds]
    if (!next) return
    from = next.id
    await setImmediate()
  }
}

function mostUsed(sums: [string, UsageCount][]): [string, UsageCount][] {
  if (sums.length <= usageKeysMax) return sums
  return sums.toSorted(([, a], [, b]) => b.credits - a.credits || b.tasks - a.tasks).slice(0, usageKeysMax)
}

async function nameKeys(sql: Sql, sums: [string, UsageCount][]): Promise<Usage['keys']> {
  const rows = await sql.all<{ id: string; name: string }>(`select id, name from keys where ${anyOf(sql, 'id')}`, [
    JSON.stringify(sums.map(([id]) => id)),
  ])
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return sums.map(([keyId, count]) => ({ keyId, name: names.get(keyId) ?? '', ...count }))
}

interface TaskTimes {
  created_at: number
  queued_at: number | null
  started_at: number | null
  completed_at: number
}

/** Enough for a median and a 95th percentile; more tasks would only take longer to read. */
const timedMax = 1000

/** Times of the successful ones among the latest tasks since then. */
function recentTimes(sql: Sql, caller: Principal, sinceMs: number): Promise<TaskTimes[]> {
  const [scope, id] = scopeOf(caller)
  const { where, params } = whereClause(ownedBetween(scope, id, { from: firstIdAt(sinceMs) }))
  return sql.all(
    `select t.created_at, t.queued_at, a.started_at, t.completed_at
     from (select id, state, created_at, queued_at, completed_at, attempt from tasks
       ${where} order by ${scope} desc, id desc limit ${timedMax}) as t
     left join task_attempts a on a.task_id = t.id and a.number = t.attempt where t.state = 'success'`,
    params,
  )
}

/** The column that names the owner of the tasks, and the owner's id. */
type Scope = readonly ['key_id' | 'account_id', string]

const scopeOf = (caller: Principal): Scope =>
  caller.isSubKey ? ['key_id', caller.keyId] : ['account_id', caller.accountId]

/** The time in each state; with several attempts, the last one counts as generating and what was before as the queue. */
function timesOf(tasks: TaskTimes[]): Usage['times'] {
  const known = tasks.filter((task) => task.queued_at !== null && task.started_at !== null)
  if (known.length === 0) return []
  const spans = {
    wait: known.map((task) => task.queued_at! - task.created_at),
    queueing: known.map((task) => task.started_at! - task.queued_at!),
    generating: known.map((task) => task.completed_at - task.started_at!),
  }
  return Object.entries(spans).map(([state, values]) => {
    const sorted = values.map((value) => Math.max(0, value)).sort((a, b) => a - b)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
    return { state: state as keyof typeof spans, p50Ms: at(0.5), p95Ms: at(0.95) }
  })
}

/**
 * Counts the tasks created since then whose ids are in the range. Ids sort by time and are in the index; a clock that
 * was set back makes an id later than its creation time, never earlier. Failed tasks are free.
 */
function countTasks(sql: Sql, caller: Principal, sinceMs: number, [from, to]: IdRange): Promise<Counted[]> {
  const [scope, id] = scopeOf(caller)
  return sql.all(
    `select created_at - created_at % ${dayMs} as day, state, model, key_id as "keyId",
       coalesce(fail_reason, '') as reason, count(*) as tasks, coalesce(sum(case when state = 'fail' then 0 else price end), 0) as credits
     from tasks where ${scope} = ? and id >= ? and id < ? and created_at >= ? group by 1, 2, 3, 4, 5`,
    [id, from, to, sinceMs],
  )
}

/** Inference is charged when it succeeds, and counts like a task that did. A request may be deleted before its charge. */
function countCharges(sql: Sql, caller: Principal, sinceMs: number, [from, to]: IdRange): Promise<Counted[]> {
  return sql.all(
    `select l.created_at - l.created_at % ${dayMs} as day, 'success' as state, coalesce(r.model, 'inference') as model,
       coalesce(l.key_id, '') as "keyId", '' as reason, count(*) as tasks, coalesce(sum(-l.amount), 0) as credits
     from ledger l left join inference_requests r on r.id = l.subject
     where l.account_id = ? and l.id >= ? and l.id < ? and l.created_at >= ? and l.kind = 'charge'
       ${caller.isSubKey ? 'and l.key_id = ?' : ''} group by 1, 2, 3, 4`,
    [caller.accountId, from, to, sinceMs, ...(caller.isSubKey ? [caller.keyId] : [])],
  )
}

/** Canceled tasks and refused inputs say nothing about how well the service works. */
function outcomesOf(counted: Counted[]): Usage['outcomes'] {
  const outcomes = { succeeded: 0, failed: 0, canceled: 0, refused: 0 }
  for (const { state, reason, tasks } of counted) {
    if (state === 'success') outcomes.succeeded += tasks
    else if (state !== 'fail') continue
    else if (reason === 'canceled') outcomes.canceled += tasks
    else if (blamesRequest(reason)) outcomes.refused += tasks
    else outcomes.failed += tasks
  }
  return outcomes
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
