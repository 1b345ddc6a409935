// Whether the database accepts writes. Reads keep working on an unpromoted standby and on a full disk, so readiness
// needs a write. A failed write counts at once; the probe decides when writes work again. Also finds out why writes wait.
import { randomBytes } from 'node:crypto'
import { CommitUnknown, ConnectionLost, type Db, isUnavailable } from './db.ts'

export interface WriteHealth {
  /** The same database, with failed transactions recorded. */
  db: Db
  /** Writes a small row; rejects while writes fail. */
  probe(): Promise<void>
}

/** Larger than a page, so that the write cannot fit into free space on the last page of a full disk. */
const largeProbeBytes = 16_384

export function watchWrites(db: Db): WriteHealth {
  let isFailing = false

  async function transaction<T>(...args: Parameters<typeof db.transaction<T>>): Promise<T> {
    try {
      return await db.transaction<T>(...args)
    } catch (error) {
      if (isWriteFailure(error)) isFailing = true
      throw error
    }
  }

  return {
    db: { ...db, transaction },
    async probe() {
      try {
        if (isFailing) await writeLarge(db)
        else await db.run('update write_probe set written_at = ? where id = 1', [Date.now()])
        isFailing = false
      } catch (error) {
        isFailing = true
        throw error
      }
    },
  }
}

/** Written and deleted in separate transactions: SQLite writes nothing before the commit. */
async function writeLarge(db: Db): Promise<void> {
  const id = 2 + Math.floor(Math.random() * 1e9)
  await db.insert('write_probe', [
    { id, written_at: Date.now(), filler: randomBytes(largeProbeBytes).toString('base64') },
  ])
  await db.run('delete from write_probe where id = ?', [id])
}

/** SQLSTATE classes: connection exception, read-only transaction, insufficient resources, intervention, system error. */
const failingStates = /^(08|25006|53|57|58)/
/** SQLite result codes: read-only, I/O error, full, cannot open. */
const failingSqliteCodes = new Set([8, 10, 13, 14])

/** The database accepts no writes now, whatever is written. */
export function isWriteFailure(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return (
    error instanceof CommitUnknown ||
    error instanceof ConnectionLost ||
    isUnavailable(error) ||
    (typeof code === 'string' && failingStates.test(code)) ||
    (typeof errcode === 'number' && failingSqliteCodes.has(errcode & 0xff))
  )
}

const explainWithinMs = 2_000

/** Why writes take long, for the log. */
export async function explainSlowWrites(db: Db): Promise<string> {
  if (db.dialect === 'sqlite') return 'another process holds the database, or the disk is slow'
  if (db.connections!().waiting > 0) return 'every connection of this process is in use'
  const late = new Promise<'late'>((resolve) => setTimeout(resolve, explainWithinMs, 'late').unref())
  const waits = await Promise.race([readWaits(db), late])
  if (waits === 'late' || waits === 'unreachable') return 'PostgreSQL does not respond'
  if (waits.some(({ event }) => event === 'SyncRep')) return 'PostgreSQL waits for a synchronous standby'
  const lock = waits.find(({ type }) => type === 'Lock')
  if (lock) return `PostgreSQL waits for a lock (${lock.event}), held by: ${lock.holder ?? 'unknown'}`
  if (waits.length > 0) return `PostgreSQL waits for ${waits.map(({ type, event }) => `${type} ${event}`).join(', ')}`
  return 'PostgreSQL runs nothing for long: the network is slow, or connections went silent'
}

interface Wait {
  type: string
  event: string
  /** Process id and state of the session that holds the lock; never its statement, which may hold a client's data. */
  holder: string | null
}

const readWaits = (db: Db): Promise<Wait[] | 'unreachable'> =>
  db
    .all<Wait>(
      `select w.wait_event_type as type, w.wait_event as event,
         (select h.pid || ' (' || h.state || ')' from pg_stat_activity h
          where h.pid = any(pg_blocking_pids(w.pid)) limit 1) as holder
       from pg_stat_activity w
       where w.datname = current_database() and w.state = 'active' and w.wait_event_type in ('Lock', 'IPC', 'IO')
         and w.query_start < now() - interval '1 second' limit 10`,
    )
    .catch(() => 'unreachable')
