// The keys that a caller may act on: its sub-keys, and itself.
import type { Principal } from '../../../accounts/keys/authenticate.ts'
import { findKey } from '../../../accounts/keys/read-keys.ts'
import { apiError } from '../../../contract/errors.ts'
import type { Sql } from '../../../db/db.ts'

/** Names the calling key where a path takes the id of a key. */
const self = 'self'

/** An unrevoked sub-key of the caller; otherwise throws the error of an unknown id. */
export async function needSubKey(sql: Sql, caller: Principal, id: string, nowMs: number) {
  const key = await findKey(sql, id, nowMs)
  if (!key || key.parentId !== caller.keyId || key.revokedAt !== null) throw apiError('no_key')
  return key
}

/** The same, or the caller itself. */
export async function needOwnKey(sql: Sql, caller: Principal, id: string, nowMs: number) {
  if (id !== self && id !== caller.keyId) return needSubKey(sql, caller, id, nowMs)
  const key = await findKey(sql, caller.keyId, nowMs)
  // Its account was deleted after it called.
  if (!key) throw apiError('invalid_api_key')
  return key
}
