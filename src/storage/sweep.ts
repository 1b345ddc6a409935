// Deletes expired files: the bytes first, then the row, so that a file left by a crash is swept again.
import { type Db, inList } from '../db/db.ts'
import type { Clock } from '../platform/clock.ts'
import type { FileRow } from './files.ts'
import type { Storage } from './storage.ts'

const batchMax = 200

/** Runs until nothing is left or the signal aborts. */
export async function sweepFiles(
  deps: { db: Db; storage: Storage; clock: Clock },
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0
  for (;;) {
    const rows = await deps.db.all<Pick<FileRow, 'token' | 'storage_key'>>(
      'select token, storage_key from files where expires_at <= ? order by expires_at limit ?',
      [deps.clock.now(), batchMax],
    )
    if (rows.length === 0) return deleted
    for (const row of rows) await deps.storage.delete(row.storage_key)
    const tokens = JSON.stringify(rows.map(({ token }) => token))
    await deps.db.run(`delete from files where ${inList(deps.db, 'token')}`, [tokens])
    deleted += rows.length
    if (rows.length < batchMax || signal.aborted) return deleted
  }
}
