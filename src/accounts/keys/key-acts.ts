// Acts on keys that the audit log records, each with what the key is allowed before and after.
import { type Actor, type Facts, recordAct } from '../../audit/audit.ts'
import type { Tx } from '../../db/db.ts'
import { createKey, type NewKey, type RightsMax, revokeKey, rotateKey } from './keys.ts'
import { findKey } from './read-keys.ts'
import { type KeyChanges, updateKey } from './update.ts'

export async function createKeyBy(tx: Tx, by: Actor, key: NewKey, nowMs: number, limits: RightsMax = {}) {
  const made = await createKey(tx, key, nowMs, limits)
  const after = await keyFacts(tx, made.id, nowMs)
  await recordAct(tx, by, { action: 'key.create', target: made.id, after }, nowMs)
  return made
}

export async function updateKeyBy(
  tx: Tx,
  by: Actor,
  id: string,
  changes: KeyChanges,
  options: { nowMs: number } & RightsMax,
): Promise<boolean> {
  const { nowMs } = options
  const before = await keyFacts(tx, id, nowMs)
  const updated = await updateKey(tx, id, changes, options)
  if (updated) {
    const after = await keyFacts(tx, id, nowMs)
    await recordAct(tx, by, { action: 'key.update', target: id, before, after }, nowMs)
  }
  return updated
}

export async function rotateKeyBy(tx: Tx, by: Actor, id: string, nowMs: number, overlapMs: number) {
  const before = await keyFacts(tx, id, nowMs)
  const rotated = await rotateKey(tx, id, nowMs, overlapMs)
  if (rotated) {
    const after = { ...(await keyFacts(tx, id, nowMs)), oldSecretUntil: overlapMs > 0 ? nowMs + overlapMs : null }
    await recordAct(tx, by, { action: 'key.rotate', target: id, before, after }, nowMs)
  }
  return rotated
}

/** With its sub-keys. */
export async function revokeKeyBy(tx: Tx, by: Actor, id: string, nowMs: number): Promise<boolean> {
  const before = await keyFacts(tx, id, nowMs)
  const revoked = await revokeKey(tx, id, nowMs)
  if (revoked) {
    const after = await keyFacts(tx, id, nowMs)
    await recordAct(tx, by, { action: 'key.revoke', target: id, before, after }, nowMs)
  }
  return revoked
}

/** What a key is allowed. Neither what it has used, nor a part of the key itself. */
async function keyFacts(tx: Tx, id: string, nowMs: number): Promise<Facts | null> {
  const key = await findKey(tx, id, nowMs)
  if (!key) return null
  const { id: _id, accountId: _account, hint: _hint, ...shown } = key
  const { creditUsed: _credits, requestsUsed: _requests, lastUsedAt: _lastUse, ...allowed } = shown
  return allowed
}
