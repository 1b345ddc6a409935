// Who a presented API key belongs to. Keys are remembered in memory and forgotten whenever any process announces a
// change of keys or settings, so a revocation is seen within a second without asking the database each time.
import type { Db } from '../db/db.ts'
import type { Clock } from '../platform/clock.ts'
import { parseRate, type Rate } from '../platform/durations.ts'
import { sha256Hex } from '../platform/ids.ts'
import type { RequestLimit } from './keys.ts'

/** The caller of a request: a key and the account it acts for. */
export interface Principal {
  keyId: string
  accountId: string
  accountName: string
  /** A sub-key sees only its own tasks. */
  isSubKey: boolean
  operator: boolean
  /** Null follows the service's default. */
  rate: Rate | null
  hasCreditLimit: boolean
  requestLimit: RequestLimit | null
  expiresAt: number | null
}

export interface Authenticator {
  authenticate(secret: string): Promise<Principal | null>
  /** The same by the key's hash, for sessions, which know no more of it. */
  authenticateHash(hash: string): Promise<Principal | null>
  close(): void
}

const rememberedMax = 10_000

export function createAuthenticator(deps: { db: Db; clock: Clock }): Authenticator {
  const remembered = new Map<string, Principal>()
  // Guards against remembering a row that was read before a change and arrived after it.
  let changes = 0
  const stop = deps.db.onChange((topic) => {
    if (topic !== 'settings' && topic !== null) return
    changes++
    remembered.clear()
  })

  const authenticator: Authenticator = {
    authenticate: (secret) => authenticator.authenticateHash(sha256Hex(secret)),
    async authenticateHash(hash) {
      let principal = remembered.get(hash)
      if (!principal) {
        const changesBefore = changes
        const row = await deps.db.one<PrincipalRow>(selectPrincipal, [hash])
        if (!row) return null
        principal = toPrincipal(row)
        if (remembered.size >= rememberedMax) remembered.clear()
        if (changes === changesBefore) remembered.set(hash, principal)
      }
      return principal.expiresAt !== null && principal.expiresAt <= deps.clock.now() ? null : principal
    },
    close: stop,
  }
  return authenticator
}

interface PrincipalRow {
  id: string
  account_id: string
  account_name: string
  parent_id: string | null
  operator: number
  rate: string | null
  credit_limit: number | null
  request_limit: number | null
  request_per: RequestLimit['per'] | null
  expires_at: number | null
}

/** A sub-key made while its parent was being revoked came too late for that to reach it, so the parent is asked too. */
const selectPrincipal = `select k.id, k.account_id, a.name as account_name, k.parent_id, k.operator, k.rate, k.credit_limit,
  k.request_limit, k.request_per, k.expires_at
  from keys k join accounts a on a.id = k.account_id left join keys parent on parent.id = k.parent_id
  where k.hash = ? and k.revoked_at is null and parent.revoked_at is null`

function toPrincipal(row: PrincipalRow): Principal {
  return {
    keyId: row.id,
    accountId: row.account_id,
    accountName: row.account_name,
    isSubKey: row.parent_id !== null,
    operator: row.operator === 1,
    rate: row.rate === null ? null : parseRate(row.rate),
    hasCreditLimit: row.credit_limit !== null,
    requestLimit: row.request_per && { requests: row.request_limit!, per: row.request_per },
    expiresAt: row.expires_at,
  }
}
