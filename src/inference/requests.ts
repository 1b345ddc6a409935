// Inference requests as rows, and how they end: succeeded and charged, or failed and free, exactly once. Requests for
// videos are tasks and have no row here.
import type { Principal } from '../accounts/authenticate.ts'
import { postEntry } from '../accounts/ledger.ts'
import { apiError } from '../contract/errors.ts'
import { type Db, forUpdate, type Sql, type Tx } from '../db/db.ts'
import { drain } from '../platform/drain.ts'
import { isId } from '../platform/ids.ts'
import { findTask } from '../tasks/store/read.ts'
import type { TaskRow } from '../tasks/store/task-row.ts'

export interface RequestRow {
  id: string
  account_id: string
  key_id: string
  model: string
  param: string
  webhook: string | null
  state: 'queued' | 'succeeded' | 'failed'
  estimate: number
  results: string | null
  runtime_ms: number
  cost_usd: number
  fail_reason: string | null
  created_at: number
  ended_at: number | null
}

export type RequestFailure = 'internal' | 'canceled' | 'too_few_credits'

export interface RequestSuccess {
  results: string
  runtimeMs: number
  costUsd: number
  credits: number
}

export function findRequest(sql: Sql, id: string): Promise<RequestRow | undefined> {
  return sql.one('select * from inference_requests where id = ?', [id])
}

/** The request, or the task that stands for one, if the caller may see it. */
export async function readRequest(
  sql: Sql,
  caller: Principal,
  id: string,
): Promise<{ request: RequestRow } | { task: TaskRow }> {
  const mayRead = (row: { account_id: string; key_id: string } | undefined) =>
    row?.account_id === caller.accountId && (!caller.isSubKey || row.key_id === caller.keyId)
  const request = isId(id) ? await findRequest(sql, id) : undefined
  if (request && mayRead(request)) return { request }
  const task = isId(id) ? await findTask(sql, id) : undefined
  if (task?.via === 'inference' && mayRead(task)) return { task }
  throw apiError('no_inference_request')
}

/** Ends it as succeeded and charges it; as failed when the credits are gone by now. Null when it has ended already. */
export async function succeedRequest(tx: Tx, id: string, end: RequestSuccess, nowMs: number) {
  const open = await tx.one<RequestRow>(
    `select * from inference_requests where id = ? and state = 'queued' ${forUpdate(tx)}`,
    [id],
  )
  if (!open) return null
  if (!(await charge(tx, open, end.credits, nowMs))) return failRequest(tx, id, 'too_few_credits', nowMs)
  return tx.one<RequestRow>(
    `update inference_requests set state = 'succeeded', results = ?, runtime_ms = ?, cost_usd = ?, ended_at = ?
     where id = ? returning *`,
    [end.results, end.runtimeMs, end.costUsd, nowMs, id],
  )
}

/** False when account or sub-key have too few credits left: neither ever goes past its bound. */
async function charge(tx: Tx, request: RequestRow, credits: number, nowMs: number): Promise<boolean> {
  const account = await tx.one<{ balance: number }>(`select balance from accounts where id = ? ${forUpdate(tx)}`, [
    request.account_id,
  ])
  if (account!.balance < credits) return false
  const counted = await tx.run(
    'update keys set credit_used = credit_used + ? where id = ? and (credit_limit is null or credit_used + ? <= credit_limit)',
    [credits, request.key_id, credits],
  )
  if (counted === 0) return false
  const entry = { accountId: request.account_id, keyId: request.key_id, taskId: request.id, amount: -credits }
  await postEntry(tx, { ...entry, kind: 'charge' }, nowMs)
  return true
}

/** Undefined when it has ended already. */
export function failRequest(
  tx: Tx,
  id: string,
  reason: RequestFailure,
  nowMs: number,
): Promise<RequestRow | undefined> {
  return tx.one(
    `update inference_requests set state = 'failed', fail_reason = ?, ended_at = ? where id = ? and state = 'queued'
     returning *`,
    [reason, nowMs, id],
  )
}

const purgeMax = 50

/** Removes requests that ended longer than `recordTtlMs` ago. */
export function purgeOldRequests(db: Db, recordTtlMs: number, nowMs: number, signal: AbortSignal): Promise<number> {
  const text =
    'delete from inference_requests where id in (select id from inference_requests where ended_at < ? limit ?)'
  return drain(() => db.run(text, [nowMs - recordTtlMs, purgeMax]), { batchMax: purgeMax, signal })
}
