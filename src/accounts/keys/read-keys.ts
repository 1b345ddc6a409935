// Keys as their owners and operators see them: lists, one key, and what became of a secret.
import type { AccountKey, RequestLimit } from '../../contract/keys.ts'
import type { Sql } from '../../db/db.ts'
import { oldestOf, whereClause } from '../../db/where-clause.ts'
import { sha256Hex } from '../../platform/ids.ts'
import { windowStart } from './request-limit.ts'
import { readScopes } from './rights.ts'

export type KeyInfo = AccountKey & { account: string }

interface KeyRow {
  id: string
  account: string
  parent_id: string | null
  name: string
  hint: string
  operator: number
  rate: string | null
  scopes: string | null
  addresses: string | null
  credit_limit: number | null
  credit_used: number
  request_limit: number | null
  request_per: RequestLimit['per'] | null
  request_window_started_at: number
  request_used: number
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  revoked_at: number | null
}

const selectKeys = 'select k.*, (select name from accounts where id = k.account_id) as account from keys k'

/** Keys of an account, sub-keys of a key, or all, oldest first; `after` is the last id of the previous page. */
export async function listKeys(
  sql: Sql,
  nowMs: number,
  filter: { accountId?: string | undefined; parentId?: string | undefined; after?: string | undefined; limit: number },
): Promise<KeyInfo[]> {
  const { accountId, parentId, after = '', limit } = filter
  const { filters, order } =
    accountId !== undefined
      ? oldestOf('account_id', accountId, after)
      : parentId !== undefined
        ? oldestOf('parent_id', parentId, after)
        : { filters: { 'id > ?': after }, order: 'id' }
  const { where, params } = whereClause(filters)
  const rows = await sql.all<KeyRow>(`${selectKeys} ${where} order by ${order} limit ?`, [...params, limit])
  return rows.map((row) => toKeyInfo(row, nowMs))
}

export async function countLiveSubKeys(sql: Sql, parentId: string): Promise<number> {
  const sqlText = 'select count(*) as keys from keys where parent_id = ? and revoked_at is null'
  return (await sql.one<{ keys: number }>(sqlText, [parentId]))!.keys
}

export async function findKey(
  sql: Sql,
  id: string,
  nowMs: number,
): Promise<(KeyInfo & { accountId: string }) | undefined> {
  const row = await sql.one<KeyRow & { account_id: string }>(`${selectKeys} where k.id = ?`, [id])
  return row && { ...toKeyInfo(row, nowMs), accountId: row.account_id }
}

function toKeyInfo(row: KeyRow, nowMs: number): KeyInfo {
  // The count of a past hour or day is replaced only by the next request.
  const isOver = row.request_per !== null && row.request_window_started_at !== windowStart(row.request_per, nowMs)
  return {
    id: row.id,
    account: row.account,
    parentId: row.parent_id,
    name: row.name,
    hint: row.hint,
    operator: row.operator === 1,
    rate: row.rate,
    scopes: readScopes(row.scopes) ?? null,
    addresses: row.addresses?.split(',') ?? null,
    creditLimit: row.credit_limit,
    creditUsed: row.credit_used,
    requestLimit: row.request_per && { requests: row.request_limit!, per: row.request_per },
    requestsUsed: isOver ? 0 : row.request_used,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }
}

/** `live`: a key has this secret. `retired`: a key had it and was rotated or revoked. */
export async function stateOfSecret(sql: Sql, secret: string): Promise<'live' | 'retired' | 'unknown'> {
  const hash = sha256Hex(secret)
  const key = await sql.one<{ revoked_at: number | null }>('select revoked_at from keys where hash = ?', [hash])
  if (key) return key.revoked_at === null ? 'live' : 'retired'
  return (await sql.one('select hash from retired_keys where hash = ?', [hash])) ? 'retired' : 'unknown'
}
