// Whether the database accepts writes. Reads keep working on an unpromoted standby and on a full disk, so readiness
// needs a write. A failed write counts at once; the probe decides when writes work again.
import { randomBytes } from 'node:crypto'
import { CommitUnknownError, type Db } from './db.ts'

export interface WriteHealth {
  /** The same database, with failed transactions recorded. */
  db: Db
  /** Rejects while writes fail. Writes at most once per second, however often it is called. */
  check(): Promise<void>
}

const checkEveryMs = 1_000
/** Larger than a page, so that the write cannot fit into free space on the last page of a full disk. */
const largeProbeBytes = 16_384

export function watchWrites(db: Db): WriteHealth {
  let isFailing = false
  let latest: { atMs: number; result: Promise<void> } | null = null

  async function transaction<T>(...args: Parameters<typeof db.transaction<T>>): Promise<T> {
    try {
      return await db.transaction<T>(...args)
    } catch (error) {
      if (isWriteFailure(error)) isFailing = true
      throw error
    }
  }

  async function probe(): Promise<void> {
    if (isFailing) await writeLarge(db)
    else await db.run('update write_probe set at = ? where id = 1', [Date.now()])
    isFailing = false
  }

  return {
    db: { ...db, transaction },
    check() {
      const nowMs = performance.now()
      if (latest === null || nowMs - latest.atMs >= checkEveryMs) latest = { atMs: nowMs, result: probe() }
      latest.result.catch(() => {
        isFailing = true
      })
      return latest.result
    },
  }
}

/** Written and deleted in separate transactions: SQLite writes nothing before the commit. */
async function writeLarge(db: Db): Promise<void> {
  const id = 2 + Math.floor(Math.random() * 1e9)
  await db.insert('write_probe', [{ id, at: Date.now(), filler: randomBytes(largeProbeBytes).toString('base64') }])
  await db.run('delete from write_probe where id = ?', [id])
}

/** SQLSTATE classes: connection exception, read-only transaction, insufficient resources, intervention, system error. */
const failingStates = /^(08|25006|53|57|58)/
/** SQLite result codes: read-only, I/O error, full, cannot open. */
const failingSqliteCodes = new Set([8, 10, 13, 14])

function isWriteFailure(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return (
    error instanceof CommitUnknownError ||
    (typeof code === 'string' && failingStates.test(code)) ||
    (typeof errcode === 'number' && failingSqliteCodes.has(errcode & 0xff))
  )
}
