// When keys and sessions were last used. Requests only note it in memory; a background loop writes it, at most once a
// minute for each.
import type { Db } from '../db/db.ts'
import { updateEach } from '../db/update-each.ts'
import type { Clock } from '../platform/clock.ts'

export interface LastUse {
  note(id: string): void
  /** Writes what is due. */
  runOnce(): Promise<void>
}

/** A table with a column `last_used_at`. */
interface UsedRows {
  table: 'keys' | 'sessions'
  /** The column that finds a row. */
  by: string
}

export const writeEveryMs = 2000
const writtenAgainAfterMs = 60_000

export function createLastUse({ db, clock }: { db: Db; clock: Clock }, { table, by }: UsedRows): LastUse {
  const noted = new Map<string, number>()
  const written = new Map<string, number>()
  return {
    note: (id) => void noted.set(id, clock.now()),
    async runOnce() {
      const nowMs = clock.now()
      for (const [id, atMs] of written) if (atMs <= nowMs - writtenAgainAfterMs) written.delete(id)
      const due = [...noted].filter(([id]) => !written.has(id))
      if (due.length === 0) return
      await db.transaction(
        (tx) =>
          updateEach(
            tx,
            {
              table,
              by,
              columns: { at: 'bigint' },
              set: ({ at }) => `last_used_at = ${at}`,
              where: ({ at }) => `(last_used_at is null or last_used_at < ${at})`,
              areLocked: false,
            },
            due.map(([id, at]) => ({ id, at })),
          ),
        { durable: false },
      )
      for (const [id, atMs] of due) {
        written.set(id, nowMs)
        if (noted.get(id) === atMs) noted.delete(id)
      }
    },
  }
}
