// The audit log: append-only entries that say who did what, from where. Written in the transaction of the act, so that
// neither exists without the other. Which acts there are is contract/audit.ts.
import { type AuditAction, type AuditEntry, auditActions } from '../contract/audit.ts'
import { anyOf, type Db, forUpdate, type Sql, type Tx } from '../db/db.ts'
import { whereClause } from '../db/where-clause.ts'
import { drain } from '../platform/drain.ts'
import { firstIdAt, newId } from '../platform/ids.ts'

export interface Actor {
  /** The id of a key, `command line:USER`, or one of the actors below. */
  actor: string
  /** The client's address; null where there was no connection. */
  address: string | null
}

/** The service itself, such as at its first start. */
export const serviceActor: Actor = { actor: 'service', address: null }

/** A client that has shown no valid key. */
export const unknownActor = (address: string): Actor => ({ actor: 'unknown', address })

export type Facts = Record<string, unknown>

interface Act {
  action: AuditAction
  target: string | null
  /** What the act changed, as it was and as it is. Never a key or a secret. */
  before?: Facts | null
  after?: Facts | null
}

export async function recordAct(tx: Tx, { actor, address }: Actor, act: Act, nowMs: number): Promise<void> {
  await tx.insert('audit', [
    {
      id: newId(nowMs),
      actor,
      address,
      action: act.action,
      target: act.target,
      facts_before: jsonOf(act.before),
      facts_after: jsonOf(act.after),
      created_at: nowMs,
    },
  ])
}

const jsonOf = (facts: Facts | null | undefined) => (facts ? JSON.stringify(facts) : null)

export interface AuditFilter {
  actor?: string
  /** An action, or its subject for all actions on it. */
  action?: string
  sinceMs?: number
  untilMs?: number
  /** Entries older than this id. */
  before?: string
}

interface AuditRow {
  id: string
  actor: string
  address: string | null
  action: AuditAction
  target: string | null
  facts_before: string | null
  facts_after: string | null
  created_at: number
}

/** Newest first. */
export async function listActs(sql: Sql, filter: AuditFilter, limit: number): Promise<AuditEntry[]> {
  const { actor, action, sinceMs, untilMs, before } = filter
  const { where, params } = whereClause({
    'actor = ?': actor,
    [anyOf(sql, 'action')]: action === undefined ? undefined : JSON.stringify(actionsOf(action)),
    'id >= ?': sinceMs === undefined ? undefined : firstIdAt(sinceMs),
    'id < ?': earlier(before, untilMs === undefined ? undefined : firstIdAt(untilMs)),
  })
  const rows = await sql.all<AuditRow>(`select * from audit ${where} order by id desc limit ?`, [...params, limit])
  return rows.map(toEntry)
}

const actionsOf = (text: string) => auditActions.filter((action) => action === text || action.startsWith(`${text}.`))

const earlier = (one: string | undefined, other: string | undefined) =>
  one === undefined ? other : other === undefined || one < other ? one : other

function toEntry({ id, created_at, actor, address, action, target, ...facts }: AuditRow): AuditEntry {
  const parsed = (text: string | null) => (text === null ? null : JSON.parse(text))
  return {
    id,
    time: created_at,
    actor,
    address,
    action,
    target,
    before: parsed(facts.facts_before),
    after: parsed(facts.facts_after),
  }
}

const exportRows = 500

/** Every matching entry, newest first, as lines of JSON. Reads page by page, as fast as the lines are taken. */
export async function* exportActs(sql: Sql, filter: AuditFilter): AsyncGenerator<string> {
  let { before } = filter
  for (;;) {
    const entries = await listActs(sql, { ...filter, before }, exportRows)
    if (entries.length > 0) yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    if (entries.length < exportRows) return
    before = entries.at(-1)!.id
  }
}

/** Small, because SQLite's one writer waits for the whole batch. */
const purgeMax = 100

/** Deletes entries that are older than `retentionMs`. The database refuses to delete any other. */
export function purgeOldActs(db: Db, retentionMs: number, nowMs: number, signal: AbortSignal): Promise<number> {
  const beforeMs = nowMs - retentionMs
  return drain(() => db.transaction((tx) => purgeSome(tx, beforeMs), { durable: false }), {
    batchMax: purgeMax,
    signal,
  })
}

async function purgeSome(tx: Tx, beforeMs: number): Promise<number> {
  const old = await tx.all<{ id: string }>(
    `select id from audit where id < ? order by id limit ? ${forUpdate(tx, 'skip locked')}`,
    [firstIdAt(Math.max(0, beforeMs)), purgeMax],
  )
  if (old.length === 0) return 0
  await tx.run('update audit_retention set expired_before = ? where expired_before < ?', [beforeMs, beforeMs])
  await tx.run(`delete from audit where ${anyOf(tx, 'id')}`, [JSON.stringify(old.map(({ id }) => id))])
  return old.length
}
