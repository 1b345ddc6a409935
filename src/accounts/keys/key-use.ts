// When keys were last used. Requests only note it in memory; a background loop writes it, at most once a minute per key.
import type { Db } from '../../db/db.ts'
import { updateEach } from '../../db/update-each.ts'
import type { Clock } from '../../platform/clock.ts'

export interface KeyUse {
  note(keyId: string): void
  /** Writes what is due. */
  runOnce(): Promise<void>
}

export const writeEveryMs = 2000
const writtenAgainAfterMs = 60_000

export function createKeyUse({ db, clock }: { db: Db; clock: Clock }): KeyUse {
  const noted = new Map<string, number>()
  const written = new Map<string, number>()
  return {
    note: (keyId) => void noted.set(keyId, clock.now()),
    async runOnce() {
      const nowMs = clock.now()
      for (const [keyId, atMs] of written) if (atMs <= nowMs - writtenAgainAfterMs) written.delete(keyId)
      const due = [...noted].filter(([keyId]) => !written.has(keyId))
      if (due.length === 0) return
      await db.transaction(
        (tx) =>
          updateEach(
            tx,
            {
              table: 'keys',
              columns: { at: 'bigint' },
              set: ({ at }) => `last_used_at = ${at}`,
              where: ({ at }) => `(last_used_at is null or last_used_at < ${at})`,
              areLocked: false,
            },
            due.map(([id, at]) => ({ id, at })),
          ),
        { durable: false },
      )
      for (const [keyId, atMs] of due) {
        written.set(keyId, nowMs)
        if (noted.get(keyId) === atMs) noted.delete(keyId)
      }
    },
  }
}
