// Changes of API keys and sub-keys: create, rotate, renew, revoke, delete. Only a SHA-256 hash of a key is stored. Keys are
// listed and found in read-keys.ts, and authenticated in authenticate.ts.

import { apiError, invalid } from '../../contract/errors.ts'
import type { RequestLimit } from '../../contract/keys.ts'
import { forUpdate, type Tx } from '../../db/db.ts'
import { deleteFreeWork } from '../../limits/free-work.ts'
import type { Rate } from '../../platform/durations.ts'
import { keyPrefix, newId, newSecretKey, sha256Hex } from '../../platform/ids.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { newWebhookSecret } from '../accounts.ts'
import { findKey } from './read-keys.ts'
import { joined, type KeyRights, rightsProblems } from './rights.ts'

/** Without rights of its own, a key may do what its kind may do. */
export interface NewKey extends Partial<KeyRights> {
  accountId: string
  name: string
  parentId?: string | null
  operator?: boolean
  creditLimit?: number | null
  requestLimit?: RequestLimit | null
  /** A key chosen by the operator instead of a random one. */
  secret?: string
}

export interface RightsMax {
  /** The most that a key's own rate may be; null: no limit. */
  rateMax?: Rate | null
}

/** Throws the error of an invalid request where the rights exceed those that the key may have. */
export async function createKey(
  tx: Tx,
  key: NewKey,
  nowMs: number,
  { rateMax = null }: RightsMax = {},
): Promise<{ id: string; key: string }> {
  const { scopes = null, addresses = null, expiresAt = null, rate = null } = key
  const parent = key.parentId ? await findKey(tx, key.parentId, nowMs) : null
  // Its account was deleted after it called.
  if (parent === undefined) throw apiError('invalid_api_key')
  const kind = { isSubKey: parent !== null, operator: key.operator === true }
  const problems = rightsProblems({ scopes, addresses, expiresAt, rate }, { kind, parent, rateMax, nowMs })
  if (problems.length > 0) throw invalid(problems)
  const id = newId(nowMs)
  const secret = key.secret ?? newSecretKey(tx.cell)
  await tx.insert('keys', [
    {
      id,
      account_id: key.accountId,
      parent_id: key.parentId ?? null,
      name: key.name,
      hash: sha256Hex(secret),
      hint: key.secret === undefined ? hintOf(secret, tx.cell) : '…',
      operator: key.operator ? 1 : 0,
      rate,
      scopes: joined(scopes),
      addresses: joined(addresses),
      expires_at: expiresAt,
      credit_limit: key.creditLimit ?? null,
      request_limit: key.requestLimit?.requests ?? null,
      request_per: key.requestLimit?.per ?? null,
      created_at: nowMs,
    },
  ])
  await tx.announce('settings')
  return { id, key: secret }
}

/** A random key shows its first characters. A key chosen by a person may be short, so it shows none. */
const hintOf = (secret: string, cell: string | null) => `${secret.slice(0, keyPrefix(cell).length + 4)}…`

/** Other changes of the key wait until the transaction ends, and then see what it changed. */
export async function lockKey(tx: Tx, id: string): Promise<void> {
  await tx.one(`select id from keys where id = ? ${forUpdate(tx)}`, [id])
}

/**
 * Replaces the secret of a key; its id, limits, usage and tasks stay. The old secret stays valid for `overlapMs`, unless
 * the key is rotated again before. Null when there is no such live key.
 */
export async function rotateKey(
  tx: Tx,
  id: string,
  nowMs: number,
  overlapMs = 0,
): Promise<{ id: string; key: string } | null> {
  const secret = newSecretKey(tx.cell)
  await lockKey(tx, id)
  await tx.run(
    'insert into retired_keys (hash, retired_at) select hash, ? from keys where id = ? and revoked_at is null',
    [nowMs, id],
  )
  const changed = await tx.run(
    `update keys set old_hash = ${overlapMs > 0 ? 'hash' : 'null'}, old_hash_until = ?, hash = ?, hint = ?
     where id = ? and revoked_at is null`,
    [overlapMs > 0 ? nowMs + overlapMs : null, sha256Hex(secret), hintOf(secret, tx.cell), id],
  )
  if (changed === 0) return null
  await tx.announce('settings')
  return { id, key: secret }
}

/** Changes the expiry of a live key, if `key` is still its secret. */
export async function renewKey(tx: Tx, { id, key }: { id: string; key: string }, expiresAt: number): Promise<boolean> {
  const changed = await tx.run('update keys set expires_at = ? where id = ? and hash = ? and revoked_at is null', [
    expiresAt,
    id,
    sha256Hex(key),
  ])
  await tx.announce('settings')
  return changed > 0
}

/** Revokes a key and its sub-keys. False when there is no such live key. */
export async function revokeKey(tx: Tx, id: string, nowMs: number): Promise<boolean> {
  const changed = await tx.run('update keys set revoked_at = ? where id = ? and revoked_at is null', [nowMs, id])
  await tx.run('update keys set revoked_at = ? where parent_id = ? and revoked_at is null', [nowMs, id])
  await tx.announce('settings')
  return changed > 0
}

/** Revokes every key of an account; returns how many keys it has, with those revoked before. */
export async function revokeAllKeys(tx: Tx, accountId: string, nowMs: number): Promise<number> {
  const keys = await tx.run('update keys set revoked_at = coalesce(revoked_at, ?) where account_id = ?', [
    nowMs,
    accountId,
  ])
  await tx.announce('settings')
  return keys
}

/** Creates a signing secret for the key; the previous one also signs until `oldUntil`. Returns the new one. */
export async function replaceKeyWebhookSecret(
  tx: Tx,
  id: string,
  old: string,
  oldUntil: number,
  box: SecretBox,
): Promise<string> {
  const secret = newWebhookSecret()
  await tx.run(
    'update keys set webhook_secret = ?, old_webhook_secret = ?, old_webhook_secret_until = ? where id = ?',
    [box.seal(secret), box.seal(old), oldUntil, id],
  )
  return secret
}

/** Deletes every key of an account, with the sessions that they opened. */
export async function deleteKeys(tx: Tx, accountId: string, nowMs: number): Promise<void> {
  const ofAccount = '(select hash from keys where account_id = ?)'
  await tx.run(`delete from sessions where key_hash in ${ofAccount}`, [accountId])
  // A key that a setting names must not come back.
  await tx.run(
    'insert into retired_keys (hash, retired_at) select hash, ? from keys where account_id = ? on conflict (hash) do nothing',
    [nowMs, accountId],
  )
  await deleteFreeWork(tx, accountId)
  await tx.run('delete from keys where account_id = ? and parent_id is not null', [accountId])
  await tx.run('delete from keys where account_id = ?', [accountId])
  await tx.announce('settings')
}
