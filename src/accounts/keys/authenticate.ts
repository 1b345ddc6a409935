// Finds the owner of a presented API key. Keys are cached in memory, and the cache is cleared whenever a process
// announces a change of keys or settings, so a revocation takes effect within a second without a query per request.
import type { KeyScope, RequestLimit } from '../../contract/keys.ts'
import type { Db } from '../../db/db.ts'
import type { Clock } from '../../platform/clock.ts'
import { cellOfKey, sha256Hex } from '../../platform/ids.ts'
import type { Network } from '../../platform/networks.ts'
import { type KeyRate, narrowedScopes, ofReplacedSecret, ratesOf, readNetworks, readScopes } from './rights.ts'

/** The caller of a request: a key and its account. */
export interface Principal {
  keyId: string
  accountId: string
  accountName: string
  /** A sub-key sees only its own tasks. */
  isSubKey: boolean
  /** What its kind, its own scopes and those of its parent all allow. */
  scopes: ReadonlySet<KeyScope>
  /** It presented a secret that was replaced and is still valid for its overlap: it may not act on keys. */
  hasOldSecret: boolean
  /** The caller's address must be in each of these lists. */
  networks: readonly (readonly Network[])[]
  /** The rates that its requests count towards: its own, and its parent's. */
  rates: readonly KeyRate[]
  requestLimit: RequestLimit | null
  expiresAt: number | null
}

export interface Authenticator {
  authenticate(secret: string): Promise<Principal | null>
  /** By which a presented key is found. */
  hashOf(secret: string): string
  /** The same by the key's hash; at once for a key that is remembered, as most are. */
  authenticateHash(hash: string): Promise<Principal | null> | Principal | null
  /** Why no caller has this key. */
  whyInvalid(hash: string): Promise<'unknown' | 'expired' | 'revoked'>
  /** The same caller as of now, for requests that go on for long; null when its secret is no longer valid. */
  renew(caller: Principal): Promise<Principal | null>
  close(): void
}

const rememberedMax = 10_000

/** No key has this hash. */
const ofNoKey = ''

export function createAuthenticator(deps: { db: Db; clock: Clock }): Authenticator {
  const remembered = new Map<string, Principal>()
  const hashes = new WeakMap<Principal, string>()
  // Prevents caching a row that was read before a change and arrived after it.
  let changes = 0
  const stop = deps.db.onChange((topic) => {
    if (topic !== 'settings' && topic !== null) return
    changes++
    remembered.clear()
  })

  function find(hash: string): Promise<Principal | null> | Principal | null {
    const principal = remembered.get(hash)
    return principal ? unlessExpired(principal) : read(hash)
  }

  async function read(hash: string): Promise<Principal | null> {
    const changesBefore = changes
    const row = await deps.db.one<PrincipalRow>(selectPrincipal, [hash, hash])
    if (!row) return null
    const principal = toPrincipal(row, hash)
    hashes.set(principal, hash)
    if (remembered.size >= rememberedMax) remembered.clear()
    if (changes === changesBefore) remembered.set(hash, principal)
    return unlessExpired(principal)
  }

  const unlessExpired = (principal: Principal) =>
    principal.expiresAt !== null && principal.expiresAt <= deps.clock.now() ? null : principal

  function hashOf(secret: string): string {
    const { cell } = deps.db
    const named = cell === null ? null : cellOfKey(secret)
    // A database that began as a copy of another cell's has the hashes of its keys too.
    return named === null || named === cell ? sha256Hex(secret) : ofNoKey
  }

  return {
    authenticate: async (secret) => find(hashOf(secret)),
    hashOf,
    authenticateHash: find,
    async whyInvalid(hash) {
      const row = await deps.db.one<{ revoked: number }>(selectRevoked, [hash, hash])
      if (!row) return 'unknown'
      return row.revoked === 1 ? 'revoked' : 'expired'
    },
    renew: async (caller) => find(hashes.get(caller)!),
    close: stop,
  }
}

interface PrincipalRow {
  id: string
  account_id: string
  account_name: string
  parent_id: string | null
  operator: number
  rate: string | null
  request_limit: number | null
  request_per: RequestLimit['per'] | null
  expires_at: number | null
  old_hash: string | null
  old_hash_until: number | null
  scopes: string | null
  addresses: string | null
  parent_rate: string | null
  parent_expires_at: number | null
  parent_scopes: string | null
  parent_addresses: string | null
}

/** A sub-key created while its parent was being revoked was not revoked with it, so the parent is checked too. */
const selectPrincipal = `select k.id, k.account_id, a.name as account_name, k.parent_id, k.operator, k.rate,
  k.request_limit, k.request_per, k.expires_at, k.old_hash, k.old_hash_until, k.scopes, k.addresses,
  parent.rate as parent_rate, parent.expires_at as parent_expires_at, parent.scopes as parent_scopes, parent.addresses as parent_addresses
  from keys k join accounts a on a.id = k.account_id left join keys parent on parent.id = k.parent_id
  where (k.hash = ? or k.old_hash = ?) and k.revoked_at is null and parent.revoked_at is null`

const selectRevoked = `select case when k.revoked_at is null and parent.revoked_at is null then 0 else 1 end as revoked
  from keys k left join keys parent on parent.id = k.parent_id where k.hash = ? or k.old_hash = ?`

function toPrincipal(row: PrincipalRow, hash: string): Principal {
  const isSubKey = row.parent_id !== null
  const kind = { isSubKey, operator: row.operator === 1 }
  const hasOldSecret = row.old_hash === hash
  const scopes = narrowedScopes(kind, readScopes(row.scopes) ?? null, readScopes(row.parent_scopes) ?? null)
  return {
    keyId: row.id,
    accountId: row.account_id,
    accountName: row.account_name,
    isSubKey,
    scopes: hasOldSecret ? ofReplacedSecret(scopes) : scopes,
    hasOldSecret,
    networks: [readNetworks(row.addresses), readNetworks(row.parent_addresses)].filter((list) => list !== undefined),
    rates: ratesOf(
      { id: row.id, rate: row.rate },
      row.parent_id === null ? null : { id: row.parent_id, rate: row.parent_rate },
    ),
    requestLimit: row.request_per && { requests: row.request_limit!, per: row.request_per },
    expiresAt: earliest([
      row.expires_at,
      // A sub-key lives no longer than its parent, and a replaced secret no longer than its overlap.
      row.parent_expires_at,
      hasOldSecret ? row.old_hash_until : null,
    ]),
  }
}

function earliest(times: (number | null)[]): number | null {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.min(...known)
}
