// Idempotent creation: maps a client's idempotency key to its earlier request. The only place that writes the table.
import { anyOf, type Db, type Param, type Sql, type Tx } from '../db/db.ts'
import { drain } from '../platform/drain.ts'
import { sha256Hex } from '../platform/ids.ts'

/** What a client's idempotency key stands for. */
export interface Idempotency {
  /** See `idempotencyId`. */
  id: string
  bodyHash: string
}

export interface Remembered {
  bodyHash: string
  /** The id of the created task or inference request. */
  subject: string
}

const ttlMs = 24 * 3_600_000
/** Small, because SQLite's one writer and the event loop wait for the whole batch. */
const purgeMax = 50

/** The row's id. It includes the API key's id, not its secret, so that it survives rotation. */
export function idempotencyId(keyId: string, route: string, key: string): string {
  return sha256Hex(`${keyId}\n${route}\n${key}`)
}

/** Returns the stored requests with these ids. Deletes expired rows, so that new ones can take their place. */
export async function recall(tx: Tx, ids: string[], nowMs: number): Promise<Map<string, Remembered>> {
  if (ids.length === 0) return new Map()
  const list = JSON.stringify(ids)
  await tx.run(`delete from idempotency where created_at < ? and ${anyOf(tx, 'id')}`, [nowMs - ttlMs, list])
  const rows = await tx.all<{ id: string; body_hash: string; subject: string }>(
    `select id, body_hash, subject from idempotency where ${anyOf(tx, 'id')}`,
    [list],
  )
  return new Map(rows.map((row) => [row.id, { bodyHash: row.body_hash, subject: row.subject }]))
}

export async function recallOne(sql: Sql, id: string, nowMs: number): Promise<Remembered | null> {
  const row = await sql.one<{ body_hash: string; subject: string }>(
    'select body_hash, subject from idempotency where id = ? and created_at >= ?',
    [id, nowMs - ttlMs],
  )
  return row ? { bodyHash: row.body_hash, subject: row.subject } : null
}

export async function remember(tx: Tx, entries: ({ id: string } & Remembered)[], nowMs: number): Promise<void> {
  if (entries.length === 0) return
  const rows: Record<string, Param>[] = entries.map(({ id, bodyHash, subject }) => ({
    id,
    body_hash: bodyHash,
    subject,
    created_at: nowMs,
  }))
  await tx.insert('idempotency', rows)
}

/** Lets clients use the keys of these tasks and requests again. */
export async function forget(tx: Tx, subjects: string[]): Promise<void> {
  if (subjects.length === 0) return
  await tx.run(`delete from idempotency where ${anyOf(tx, 'subject')}`, [JSON.stringify(subjects)])
}

/** Deletes expired rows. */
export function purgeExpired(db: Db, nowMs: number, signal: AbortSignal): Promise<number> {
  const text = 'delete from idempotency where id in (select id from idempotency where created_at < ? limit ?)'
  return drain(() => db.run(text, [nowMs - ttlMs, purgeMax]), { batchMax: purgeMax, signal })
}
