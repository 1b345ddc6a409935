// Deletes expired files: the bytes first, then the row, so that a file left by a crash is swept again.
import { anyOf, type Db } from '../db/db.ts'
import type { Clock } from '../platform/clock.ts'
import { type FileRow, setFileExpiry } from './files.ts'
import type { Storage } from './storage.ts'

const batchMax = 200

type SweepDeps = { db: Db; storage: Storage; clock: Clock }
type Expired = Pick<FileRow, 'token' | 'storage_key'>

/** Runs until nothing is left, a file cannot be deleted, or the signal aborts. */
export async function sweepFiles(deps: SweepDeps, signal: AbortSignal): Promise<number> {
  let deleted = 0
  for (;;) {
    const rows = await deps.db.all<Expired>(
      'select token, storage_key from files where expires_at <= ? order by expires_at limit ?',
      [deps.clock.now(), batchMax],
    )
    if (rows.length === 0) return deleted
    await deleteFiles(deps, rows)
    deleted += rows.length
    if (rows.length < batchMax || signal.aborted) return deleted
  }
}

async function deleteFiles({ db, storage, clock }: SweepDeps, rows: Expired[]): Promise<void> {
  const deleted: string[] = []
  try {
    for (const { token, storage_key } of rows) {
      await storage.delete(storage_key).catch(async (error) => {
        // The next sweep takes it last, so that it does not hold up the others.
        await setFileExpiry(db, [token], clock.now())
        throw error
      })
      deleted.push(token)
    }
  } finally {
    await db.run(`delete from files where ${anyOf(db, 'token')}`, [JSON.stringify(deleted)])
  }
}
