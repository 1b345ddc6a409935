// Deletes expired files: the bytes first, then the row, so that a file left by a crash is swept again.
import type { Db } from '../db/db.ts'
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
    for (const row of rows) await deps.storage.delete(row.storage_key)
    await deps.db.transaction(async (tx) => {
      for (const row of rows) await tx.run('delete from files where token = ?', [row.token])
    })
    deleted += rows.length
    if (rows.length < batchMax || signal.aborted) return deleted
  }
}
