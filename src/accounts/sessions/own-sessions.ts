// Sessions as the owner of a key sees and ends them: those that the key opened, and those of its sub-keys.
import { type Actor, recordAct } from '../../audit/audit.ts'
import type { AccountSession } from '../../contract/accounts.ts'
import type { Sql, Tx } from '../../db/db.ts'

interface SessionRow {
  hash: string
  key_id: string
  created_at: number
  last_used_at: number
  expires_at: number
  address: string
  user_agent: string | null
}

/** Of a key with a thousand sub-keys, the newest sessions are shown. */
const shownMax = 1000

const selectOwn = `select s.hash, k.id as key_id, s.created_at, s.last_used_at, s.expires_at, s.address, s.user_agent
  from keys k join sessions s on s.key_hash in (k.hash, k.old_hash)
  where (k.id = ? or k.parent_id = ?) and k.revoked_at is null and (k.expires_at is null or k.expires_at > ?)
    and (s.key_hash = k.hash or k.old_hash_until > ?) and s.expires_at > ?`

const ownOf = (keyId: string, nowMs: number) => [keyId, keyId, nowMs, nowMs, nowMs]

/** Newest first; `current` is the session of the request, if it has one. */
export async function listSessions(
  sql: Sql,
  keyId: string,
  { current, nowMs }: { current: string | null; nowMs: number },
): Promise<AccountSession[]> {
  const rows = await sql.all<SessionRow>(`${selectOwn} order by s.created_at desc, s.hash limit ?`, [
    ...ownOf(keyId, nowMs),
    shownMax,
  ])
  return rows.map((row) => ({
    id: row.hash,
    keyId: row.key_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    address: row.address,
    ...(row.user_agent === null ? {} : { userAgent: row.user_agent }),
    current: row.hash === current,
  }))
}

/** False when the key has no such session. */
export async function endSession(tx: Tx, by: Actor, keyId: string, id: string, nowMs: number): Promise<boolean> {
  const row = await tx.one<SessionRow>(`${selectOwn} and s.hash = ?`, [...ownOf(keyId, nowMs), id])
  if (!row || (await tx.run('delete from sessions where hash = ?', [id])) === 0) return false
  const before = { keyId: row.key_id, address: row.address, createdAt: row.created_at }
  await recordAct(tx, by, { action: 'session.end', target: id, before }, nowMs)
  // Streams that the session opened end with it.
  await tx.announce('settings')
  return true
}
