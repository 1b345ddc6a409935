// Browser sessions: a random token in a cookie that stands for an API key. Only hashes of both are stored. A session
// ends at sign-out, at its expiry, or with its key.
import type { Db } from '../db/db.ts'
import type { Clock } from '../platform/clock.ts'
import { newToken, sha256Hex } from '../platform/ids.ts'

export interface Sessions {
  open(keySecret: string, forMs: number): Promise<string>
  /** The hash of the key that opened the session; null when the session has ended. */
  keyHashOf(token: string): Promise<string | null>
  close(token: string): Promise<void>
}

export function createSessions({ db, clock }: { db: Db; clock: Clock }): Sessions {
  return {
    async open(keySecret, forMs) {
      const token = newToken()
      const nowMs = clock.now()
      await db.transaction(async (tx) => {
        await tx.run('delete from sessions where expires_at <= ?', [nowMs])
        await tx.insert('sessions', [
          {
            hash: sha256Hex(token),
            key_hash: sha256Hex(keySecret),
            created_at: nowMs,
            expires_at: nowMs + forMs,
          },
        ])
      })
      return token
    },
    async keyHashOf(token) {
      const row = await db.one<{ key_hash: string }>(
        'select key_hash from sessions where hash = ? and expires_at > ?',
        [sha256Hex(token), clock.now()],
      )
      return row?.key_hash ?? null
    },
    async close(token) {
      await db.transaction((tx) => tx.run('delete from sessions where hash = ?', [sha256Hex(token)]))
    },
  }
}
