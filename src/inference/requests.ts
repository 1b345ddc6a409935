// Inference requests as rows, and how they end: succeeded and charged, or failed and free, exactly once. Requests for
// videos are tasks and have no row here.
import type { Principal } from '../accounts/keys/authenticate.ts'
import { chargeCredits } from '../accounts/ledger.ts'
import type { Accepted, Admittable } from '../admission/submission.ts'
import { apiError } from '../contract/errors.ts'
import { anyOf, type Db, forUpdate, type Sql, type Tx } from '../db/db.ts'
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
  callback_url: string | null
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

interface RequestSuccess {
  results: string
  runtimeMs: number
  costUsd: number
  credits: number
}

export function findRequest(sql: Sql, id: string): Promise<RequestRow | undefined> {
  return sql.one('select * from inference_requests where id = ?', [id])
}

interface RequestDetails {
  model: string
  /** The accepted body, as JSON. */
  param: string
}

export const inferQueue = 'infer'

/** Inference requests as work that can be admitted. */
export const inferenceRequests: Admittable<RequestDetails> = {
  name: 'request',
  async store(tx, accepted) {
    await tx.insert('inference_requests', accepted.map(rowOf))
    return accepted.map(({ id, createdAt, accountId, keyId }) => ({
      queue: inferQueue,
      subject: id,
      group: keyId,
      owner: accountId,
      order: createdAt,
    }))
  },
  isStored: async (sql, id) => (await sql.one('select id from inference_requests where id = ?', [id])) !== undefined,
  openWork: (tx, accountIds) =>
    tx.all(
      `select account_id as account, key_id as key, count(*) as count, sum(estimate) as credits
       from inference_requests where ${anyOf(tx, 'account_id')} and state = 'queued' group by account_id, key_id`,
      [JSON.stringify(accountIds)],
    ),
}

function rowOf({ id, createdAt, details, ...accepted }: Accepted<RequestDetails>) {
  return {
    ...details,
    id,
    account_id: accepted.accountId,
    key_id: accepted.keyId,
    callback_url: accepted.callBackUrl,
    state: 'queued',
    estimate: accepted.price,
    created_at: createdAt,
  }
}

/** The request, or the task that represents one, if the caller may see it. */
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

/**
 * Ends it as succeeded and charges it, or as failed when the credits no longer suffice. Null when it has already ended.
 */
export async function succeedRequest(tx: Tx, id: string, end: RequestSuccess, nowMs: number) {
  const open = await tx.one<RequestRow>(
    `select * from inference_requests where id = ? and state = 'queued' ${forUpdate(tx)}`,
    [id],
  )
  if (!open) return null
  const owner = { accountId: open.account_id, keyId: open.key_id, subject: id }
  if (!(await chargeCredits(tx, owner, end.credits, nowMs))) return failRequest(tx, id, 'too_few_credits', nowMs)
  return tx.one<RequestRow>(
    `update inference_requests set state = 'succeeded', results = ?, runtime_ms = ?, cost_usd = ?, ended_at = ?
     where id = ? returning *`,
    [end.results, end.runtimeMs, end.costUsd, nowMs, id],
  )
}

/** Undefined when it has already ended. */
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

/** Deletes some requests of an account, ended or not, and returns their ids. */
export async function deleteRequests(tx: Tx, accountId: string, max: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `delete from inference_requests where id in
       (select id from inference_requests where account_id = ? limit ?) returning id`,
    [accountId, max],
  )
  return rows.map(({ id }) => id)
}

const purgeMax = 50

/** Deletes requests that ended longer than `recordTtlMs` ago. */
export function purgeOldRequests(db: Db, recordTtlMs: number, nowMs: number, signal: AbortSignal): Promise<number> {
  const text =
    'delete from inference_requests where id in (select id from inference_requests where ended_at < ? limit ?)'
  return drain(() => db.run(text, [nowMs - recordTtlMs, purgeMax]), { batchMax: purgeMax, signal })
}
