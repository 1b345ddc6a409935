// Browser sessions: a random token in a cookie that stands for an API key. Only hashes of both are stored. A session
// ends at sign-out, at its expiry, with its key, when its owner ends it (own-sessions.ts), or when the key has opened as
// many newer ones as it may have.
import type { Db } from '../../db/db.ts'
import { slots } from '../../limits/table.ts'
import type { Clock } from '../../platform/clock.ts'
import { newToken, sha256Hex } from '../../platform/ids.ts'
import { createLastUse, type LastUse } from '../last-use.ts'

/** The browser that signs in. */
export interface Browser {
  address: string
  userAgent: string | null
}

export interface Sessions {
  open(keySecret: string, forMs: number, browser: Browser): Promise<string>
  /** The hash of the key that opened the session; null when the session has ended. */
  keyHashOf(token: string): Promise<string | null>
  /** Whether its owner has not ended it, for streams; remembered until something about keys or sessions changes. */
  isOpen(token: string): Promise<boolean>
  close(token: string): Promise<void>
  stop(): void
  lastUse: LastUse
}

const userAgentMax = 200
const rememberedMax = 10_000

/** A session is identified by the hash of its token, from which the token cannot be recovered. */
export const sessionId = (token: string) => sha256Hex(token)

export function createSessions({ db, clock }: { db: Db; clock: Clock }): Sessions {
  const lastUse = createLastUse({ db, clock }, { table: 'sessions', by: 'hash' })
  const known = new Set<string>()
  let changes = 0
  const stop = db.onChange((topic) => {
    if (topic !== 'settings' && topic !== null) return
    changes++
    known.clear()
  })

  const find = (id: string) =>
    db.one<{ key_hash: string }>('select key_hash from sessions where hash = ? and expires_at > ?', [id, clock.now()])

  return {
    lastUse,
    stop,
    async open(keySecret, forMs, { address, userAgent }) {
      const token = newToken(db.cell)
      const keyHash = sha256Hex(keySecret)
      const nowMs = clock.now()
      // After a power cut that undoes it, the browser signs in again.
      await db.transaction(
        async (tx) => {
          await tx.run('delete from sessions where expires_at <= ?', [nowMs])
          await tx.run(
            `delete from sessions where key_hash = ? and hash not in
               (select hash from sessions where key_hash = ? order by created_at desc, hash limit ?)`,
            [keyHash, keyHash, slots.sessions.of - 1],
          )
          await tx.insert('sessions', [
            {
              hash: sessionId(token),
              key_hash: keyHash,
              created_at: nowMs,
              expires_at: nowMs + forMs,
              last_used_at: nowMs,
              address,
              user_agent: userAgent?.slice(0, userAgentMax) ?? null,
            },
          ])
        },
        { durable: false },
      )
      return token
    },
    async keyHashOf(token) {
      const id = sessionId(token)
      const row = await find(id)
      if (!row) return null
      lastUse.note(id)
      return row.key_hash
    },
    async isOpen(token) {
      const id = sessionId(token)
      if (known.has(id)) return true
      const changesBefore = changes
      if (!(await find(id))) return false
      if (known.size >= rememberedMax) known.clear()
      if (changes === changesBefore) known.add(id)
      return true
    },
    async close(token) {
      const id = sessionId(token)
      // Anyone can send a token that opens nothing, so only one that does costs a transaction.
      if (!(await db.one('select hash from sessions where hash = ?', [id]))) return
      await db.transaction((tx) => tx.run('delete from sessions where hash = ?', [id]))
    },
  }
}
