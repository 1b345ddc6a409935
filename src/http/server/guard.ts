// The checks in front of every route that is not open, before the body is read, in this order: key or session, address, rate,
// free work, request limit, rights, whether the service accepts new work. A request to an open route whose body presents a
// key only counts towards the limits of that key.
import { isIP, type Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator, Principal } from '../../accounts/keys/authenticate.ts'
import { type RequestLimiter, secondsUntilReset } from '../../accounts/keys/request-limit.ts'
import { comesFrom } from '../../accounts/keys/rights.ts'
import type { LastUse } from '../../accounts/last-use.ts'
import type { Sessions } from '../../accounts/sessions/sessions.ts'
import type { Switches } from '../../accounts/switches.ts'
import type { Actor } from '../../audit/audit.ts'
import { type ApiError, apiError } from '../../contract/errors.ts'
import type { FreeWork } from '../../limits/free-work.ts'
import { debts, slots, windows } from '../../limits/table.ts'
import { type AnyWindow, refusalOf, secondsUntil, type Window } from '../../limits/window.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Rate } from '../../platform/durations.ts'
import type { Route } from '../route.ts'
import { callingSession } from './browsers.ts'
import { clientAddress } from './connections/request-origin.ts'
import type { LoadShedder } from './event-loop.ts'

interface GuardDeps {
  authenticator: Authenticator
  failedAttempts: Window
  keyUse: LastUse
  sessions: Sessions
  rates: AnyWindow
  requestLimiter: RequestLimiter
  switches: Switches
  shedder: LoadShedder
  clock: Clock
  /** Null: no limit unless the key has one. */
  rateLimit: Rate | null
  freeWork: FreeWork
}

const maintenanceRetryS = 60

export interface Guard {
  /** Returns the caller of a request that may continue; throws the refusal otherwise. */
  enter(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<Principal>
  /** Counts a request whose key was found in its body towards the limits of that key; throws the refusal. */
  count(caller: Principal, reply: FastifyReply): Promise<Principal>
  /** Whether a request that entered may still continue: its key or the rights of its key may have changed. */
  mayContinue(route: Route, request: FastifyRequest): Promise<boolean>
}

export function createGuard(deps: GuardDeps): Guard {
  const presentedHash = createPresentedHash(deps.authenticator)
  return {
    async enter(route, request, reply) {
      const keyHash = presentedHash(request)
      const found = await (keyHash === null ? findSession(deps, request) : deps.authenticator.authenticateHash(keyHash))
      if (!found) throw await unauthenticated(deps, request, keyHash)
      const caller = admitted(deps, request, found)
      deps.keyUse.note(caller.keyId)
      await limitRate(deps, caller, reply)
      if (route.createsWork) await limitFreeWork(deps, caller)
      await limitRequests(deps, caller)
      const refusal = missingRight(route, caller)
      if (refusal) throw refusal
      if (route.createsWork) refuseNewWork(deps)
      return caller
    },
    async count(caller, reply) {
      deps.keyUse.note(caller.keyId)
      await limitRate(deps, caller, reply)
      await limitRequests(deps, caller)
      return caller
    },
    async mayContinue(route, request) {
      const caller = await deps.authenticator.renew(request.caller)
      if (caller === null || !mayComeFrom(request, caller) || missingRight(route, caller)) return false
      const token = callingSession(request)
      return token === null || deps.sessions.isOpen(token)
    },
  }
}

/** For keys without the right, operator routes do not exist; nor do main-key routes for sub-keys. */
function missingRight({ access, scope, actsOnKeys }: Route, caller: Principal): ApiError | null {
  if (access === 'operator' && !caller.scopes.has('operator')) return apiError('not_found')
  if (access === 'main-key' && caller.isSubKey) return apiError('not_found')
  if (actsOnKeys && caller.hasOldSecret) return apiError('scope_missing', { scope: 'keys' })
  const isAllowed = scope === undefined || scope === 'any' || caller.scopes.has(scope)
  return isAllowed ? null : apiError('scope_missing', { scope })
}

/**
 * Reads the hash of a request's key. Most connections present the same key with each request, and hashing it takes as long
 * as reading a task's row from SQLite.
 */
function createPresentedHash({ hashOf }: Authenticator): (request: FastifyRequest) => string | null {
  const latest = new WeakMap<Socket, { authorization: string; hash: string | null }>()
  return ({ socket, headers: { authorization } }) => {
    if (authorization === undefined) return null
    const known = latest.get(socket)
    if (known?.authorization === authorization) return known.hash
    const secret = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1]
    const hash = secret === undefined ? null : hashOf(secret)
    latest.set(socket, { authorization, hash })
    return hash
  }
}

/**
 * Counts a failed authentication, and returns the refusal to respond with: the given one, or that of too many. A valid key
 * is served from every address at any time, because many clients may share one.
 */
export function countFailure(
  { failedAttempts, clock }: Pick<GuardDeps, 'failedAttempts' | 'clock'>,
  address: string,
  refusal: ApiError,
): ApiError {
  const { failedAttempts: row } = windows
  return refusalOf(row, failedAttempts.take(address, row.of, clock.now())) ?? refusal
}

/** Returns the caller if it may call from the request's address; throws the refusal otherwise. */
function admitted(deps: GuardDeps, request: FastifyRequest, caller: Principal): Principal {
  if (mayComeFrom(request, caller)) return caller
  throw countFailure(deps, clientAddress(request), apiError('address_not_allowed'))
}

/** Why a request has no caller. Only a client that knows a key learns that it was valid once. */
async function unauthenticated(deps: GuardDeps, request: FastifyRequest, keyHash: string | null): Promise<ApiError> {
  // A request without a key is not a failed attempt.
  if (request.headers.authorization === undefined) {
    return apiError(callingSession(request) === null ? 'no_api_key' : 'session_over')
  }
  const refusal = countFailure(deps, clientAddress(request), apiError('not_bearer'))
  if (keyHash === null || refusal.code === 429) return refusal
  return apiError(`${await deps.authenticator.whyInvalid(keyHash)}_api_key`)
}

const mayComeFrom = (request: FastifyRequest, { networks }: Principal) =>
  networks.length === 0 || comesFrom(clientAddress(request), networks)

/** The caller whose key signed the request's browser in. */
async function findSession(deps: GuardDeps, request: FastifyRequest): Promise<Principal | null> {
  const token = callingSession(request)
  const keyHash = token === null ? null : await deps.sessions.keyHashOf(token)
  return keyHash === null ? null : deps.authenticator.authenticateHash(keyHash)
}

/** The headers show the rate that refused the request, or the one that has the fewest requests left. */
async function limitRate(deps: GuardDeps, caller: Principal, reply: FastifyReply): Promise<void> {
  let fewest = Number.POSITIVE_INFINITY
  for (const { keyId, rate: own } of caller.rates) {
    const rate = own ?? deps.rateLimit
    if (!rate) continue
    const { allowed, remaining, resetMs } = await deps.rates.take(keyId, rate, deps.clock.now())
    const resetS = secondsUntil(resetMs)
    if (!allowed || remaining < fewest) {
      fewest = remaining
      reply.header('ratelimit-policy', `"default";q=${rate.requests};w=${Math.ceil(rate.perMs / 1000)}`)
      reply.header('ratelimit', `"default";r=${remaining};t=${resetS}`)
    }
    if (!allowed) throw windows.rate.refuse({ ...rate, retryAfterS: resetS })
  }
}

async function limitFreeWork({ freeWork }: GuardDeps, caller: Principal): Promise<void> {
  const retryAfterS = await freeWork.waitS(caller)
  if (retryAfterS > 0) throw debts.freeWork.refuse({ retryAfterS })
}

async function limitRequests(deps: GuardDeps, { keyId, requestLimit }: Principal): Promise<void> {
  if (!requestLimit || (await deps.requestLimiter.take(keyId))) return
  const retryAfterS = secondsUntilReset(requestLimit.per, deps.clock.now())
  throw windows.requestLimit.refuse({ ...requestLimit, ...(retryAfterS === undefined ? {} : { retryAfterS }) })
}

/** During maintenance and under load. */
function refuseNewWork(deps: GuardDeps): void {
  if (deps.switches.maintenance()) throw apiError('maintenance', { retryAfterS: maintenanceRetryS })
  if (deps.shedder.overloaded()) throw slots.newWork.refuse()
}

/**
 * Who acts by a request, for the audit log: its key, once it has passed the guard. A request of the command line to itself comes
 * from no address.
 */
export function requestActor(request: FastifyRequest): Actor {
  const address = clientAddress(request)
  return { actor: request.caller.keyId, address: isIP(address) === 0 ? null : address }
}
