// What a key may do: its kind, narrowed by its own scopes and addresses and by those of its parent. Pure.
import { type KeyScope, keyScopes } from '../../contract/keys.ts'
import { parseRate, type Rate } from '../../platform/durations.ts'
import { containsNetwork, inNetworks, type Network, parseNetwork } from '../../platform/networks.ts'
import type { Problem } from '../../schema/problem.ts'

interface KeyKind {
  isSubKey: boolean
  operator: boolean
}

/** What keys of this kind may do without scopes of their own. */
function scopesOfKind({ isSubKey, operator }: KeyKind): readonly KeyScope[] {
  if (isSubKey) return ['tasks:read', 'tasks:write', 'files:write']
  return operator ? keyScopes : keyScopes.filter((scope) => scope !== 'operator')
}

/** A null list does not restrict anything. */
export function narrowedScopes(kind: KeyKind, ...lists: (readonly KeyScope[] | null)[]): ReadonlySet<KeyScope> {
  return new Set(scopesOfKind(kind).filter((scope) => lists.every((list) => list === null || list.includes(scope))))
}

/**
 * What a replaced secret may do: if it leaked, it cannot be used to lock the key's owner out by rotating the key again, nor
 * to act as an operator.
 */
export function ofReplacedSecret(scopes: ReadonlySet<KeyScope>): ReadonlySet<KeyScope> {
  return new Set([...scopes].filter((scope) => scope !== 'keys' && scope !== 'operator'))
}

/** Each list must contain the address: a sub-key's own, and its parent's. */
export function comesFrom(address: string, lists: readonly (readonly Network[])[]): boolean {
  return lists.every((networks) => inNetworks(address, networks))
}

/** A key whose requests are counted, and its limit; null uses the service's default. */
export interface KeyRate {
  keyId: string
  rate: Rate | null
}

/**
 * The rates that a request of a key counts towards. A sub-key's requests count towards its parent's rate too, so that a key
 * gains nothing by creating sub-keys.
 */
export function ratesOf(key: StoredRate, parent: StoredRate | null): KeyRate[] {
  const counted = parent === null ? [key] : key.rate === null ? [parent] : [key, parent]
  return counted.map(({ id, rate }) => ({ keyId: id, rate: rate === null ? null : parseRate(rate) }))
}

interface StoredRate {
  id: string
  rate: string | null
}

/** Lists are stored as text. */
export const joined = (items: readonly string[] | null | undefined) => items?.join(',') ?? null
export const readScopes = (text: string | null) => text?.split(',') as KeyScope[] | undefined
export const readNetworks = (text: string | null) => text?.split(',').map((each) => parseNetwork(each)!)

export interface KeyRights {
  scopes: KeyScope[] | null
  addresses: string[] | null
  expiresAt: number | null
  rate: string | null
}

/** A sub-key's parent, or null for a main key. */
interface RightsLimit {
  kind: KeyKind
  parent: KeyRights | null
  /** The most that `rate` may be; null: no limit. */
  rateMax: Rate | null
  nowMs: number
}

export const expiryProblem: Problem = { field: 'expiresAt', message: 'must be in the future' }

/** What is wrong with these rights. A sub-key never has more rights than its parent. */
export function rightsProblems(rights: KeyRights, { kind, parent, rateMax, nowMs }: RightsLimit): Problem[] {
  const { scopes, addresses, expiresAt, rate } = rights
  const problems: Problem[] = []
  const wrong = (field: string, message: string) => problems.push({ field, message })
  const allowed = parent ? narrowedScopes(kind, parent.scopes) : new Set(scopesOfKind(kind))
  const tooMuch = scopes?.filter((scope) => !allowed.has(scope)) ?? []
  if (tooMuch.length > 0) {
    wrong('scopes', `${tooMuch.join(', ')} cannot be given to this key; it may have ${[...allowed].join(', ')}`)
  }
  const outer = parent?.addresses?.map((text) => parseNetwork(text)!)
  const outside = addresses?.filter((text) => outer && !outer.some((net) => containsNetwork(net, parseNetwork(text)!)))
  if (outside?.length) wrong('addresses', `${outside.join(', ')} is not within those of the parent key`)
  if (expiresAt !== null && expiresAt <= nowMs) problems.push(expiryProblem)
  if (expiresAt !== null && parent?.expiresAt != null && expiresAt > parent.expiresAt) {
    wrong('expiresAt', 'must not be later than the expiry of the parent key')
  }
  const most = [rateMax, parent?.rate ? parseRate(parent.rate) : null].filter((each) => each !== null)
  const wanted = rate === null ? null : parseRate(rate)
  if (wanted && most.some((max) => wanted.requests / wanted.perMs > max.requests / max.perMs)) {
    wrong('rate', 'must not exceed the rate limit of the parent key')
  }
  return problems
}
