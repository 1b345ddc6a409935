// Changes of a key's name, limits and rights.

import { invalid } from '../../contract/errors.ts'
import type { RequestLimit } from '../../contract/keys.ts'
import type { Tx } from '../../db/db.ts'
import { lockKey, type RightsMax } from './keys.ts'
import { findKey } from './read-keys.ts'
import { joined, type KeyRights, rightsProblems } from './rights.ts'

/** What is left out stays; null removes it. */
export interface KeyChanges extends Partial<KeyRights> {
  name?: string
  creditLimit?: number | null
  requestLimit?: RequestLimit | null
}

/** False when there is no such live key. Throws the error of an invalid request when a change is not possible. */
export async function updateKey(
  tx: Tx,
  id: string,
  changes: KeyChanges,
  { nowMs, rateMax = null }: { nowMs: number } & RightsMax,
): Promise<boolean> {
  // No request may count towards a limit while it changes.
  await lockKey(tx, id)
  const key = await findKey(tx, id, nowMs)
  if (!key || key.revokedAt !== null) return false
  const { name, creditLimit, requestLimit, scopes, addresses, expiresAt, rate } = { ...key, ...changes }
  const parent = key.parentId === null ? null : (await findKey(tx, key.parentId, nowMs))!
  const kind = { isSubKey: parent !== null, operator: key.operator }
  // Rights that stay were checked when they were given, and an expiry may have passed since.
  const given = { scopes: null, addresses: null, expiresAt: null, rate: null, ...changes }
  const problems = rightsProblems(given, { kind, parent, rateMax, nowMs })
  if (creditLimit !== null && creditLimit < key.creditUsed) {
    problems.push({ field: 'creditLimit', message: `must be at least ${key.creditUsed}, which the key has spent` })
  }
  if (!parent && (creditLimit !== null || requestLimit !== null)) {
    problems.push({ field: 'creditLimit, requestLimit', message: 'are for sub-keys' })
  }
  if (problems.length > 0) throw invalid(problems)
  const isSameWindow = requestLimit?.per === key.requestLimit?.per
  const requestsUsed = isSameWindow ? Math.min(key.requestsUsed, requestLimit?.requests ?? 0) : 0
  await tx.run(
    `update keys set name = ?, credit_limit = ?, request_limit = ?, request_per = ?, request_used = ?, scopes = ?,
     addresses = ?, expires_at = ?, rate = ? where id = ?`,
    [
      name,
      creditLimit,
      requestLimit?.requests ?? null,
      requestLimit?.per ?? null,
      requestsUsed,
      joined(scopes),
      joined(addresses),
      expiresAt,
      rate,
      id,
    ],
  )
  await tx.announce('settings')
  return true
}
