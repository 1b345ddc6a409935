// Decides which submissions of a batch are accepted, as a pure function of the database's state at the start of the
// batch. Submissions are decided in order, and each sees what the accepted ones before it used.
import type { Balances } from '../accounts/locked-balances.ts'
import { type ApiError, apiError, invalidField } from '../contract/errors.ts'
import { slots } from '../limits/table.ts'
import type { Remembered } from './idempotency.ts'
import type { Admittable, Submission } from './submission.ts'

/** The part of a submission that the decision reads. */
export type Asked = Omit<Submission<unknown>, 'kind' | 'createdAt' | 'details'> & {
  kind: Pick<Admittable<unknown>, 'name'>
}

export interface AdmissionState extends Balances {
  /** Open inference requests and the credits reserved for them: by account, and the credits by key. */
  requests: { accounts: Map<string, { open: number; credits: number }>; keys: Map<string, number> }
  /** Stored idempotent requests by id. */
  remembered: Map<string, Remembered>
  /** The current virtual time: the start of the first waiting task. */
  virtualNow: number
  /** The maximum of unfinished tasks, and of unfinished inference requests, per account. */
  openMax: number
  /** Accounts that have too many undelivered callbacks to request more. */
  callbacksFull?: ReadonlySet<string>
  featureEnabled(name: string): boolean
}

/** What a submission costs, or may cost, and what its caller may still spend. */
export interface Credits {
  held: number
  left: number
}

export type Decision =
  | { kind: 'accepted'; credits: Credits; balanceAfter: number; virtualStart: number; virtualFinish: number }
  | { kind: 'replayed'; id: string; credits: Credits }
  | { kind: 'refused'; error: ApiError }

/** Decides one submission and, if it is accepted, updates the balances in `state`. */
export function decideAdmission(asked: Asked, state: AdmissionState): Decision {
  // The account was deleted after the request was authenticated.
  if (!state.accounts.has(asked.accountId) || !state.keys.has(asked.keyId)) return refuse(apiError('invalid_api_key'))
  const before = asked.idempotency && state.remembered.get(asked.idempotency.id)
  if (before) {
    if (before.bodyHash === asked.idempotency!.bodyHash)
      return { kind: 'replayed', id: before.subject, credits: creditsOf(asked, state) }
    return refuse(repeatedWithAnotherBody())
  }
  const disabled = asked.features.find((feature) => !state.featureEnabled(feature))
  if (disabled) return refuse(apiError('feature_disabled', { feature: disabled }))
  if (asked.refusal) return refuse(asked.refusal)
  const error = tooManyOpen(asked, state) ?? tooFewCredits(asked, state)
  if (error) return refuse(error)
  if (asked.idempotency) {
    state.remembered.set(asked.idempotency.id, { bodyHash: asked.idempotency.bodyHash, subject: asked.id })
  }
  return asked.kind.name === 'task' ? holdCredits(asked, state) : setCreditsAside(asked, state)
}

function tooManyOpen(asked: Asked, state: AdmissionState): ApiError | null {
  if (asked.kind.name === 'task') {
    const { openTasks: open } = state.accounts.get(asked.accountId)!
    if (open >= state.openMax) return slots.openTasks.refuse(open)
  } else {
    const open = state.requests.accounts.get(asked.accountId)?.open ?? 0
    if (open >= state.openMax) return slots.openRequests.refuse(open)
  }
  const isFull = asked.callBackUrl && state.callbacksFull?.has(asked.accountId)
  return isFull ? slots.pendingDeliveries.refuse() : null
}

function tooFewCredits({ kind, price, accountId, keyId }: Asked, state: AdmissionState): ApiError | null {
  const { balance } = state.accounts.get(accountId)!
  const { creditLimit, creditUsed } = state.keys.get(keyId)!
  const leftOfKey = creditLimit === null ? Number.POSITIVE_INFINITY : creditLimit - creditUsed
  if (kind.name === 'task') {
    if (price > leftOfKey) return apiError('task_over_credit_limit', { price, left: leftOfKey, limit: creditLimit! })
    return balance < price ? apiError('task_too_expensive', { price, balance }) : null
  }
  const left = leftOfKey - (state.requests.keys.get(keyId) ?? 0)
  if (price > left) return apiError('request_over_credit_limit', { estimate: price, left, limit: creditLimit! })
  const free = balance - (state.requests.accounts.get(accountId)?.credits ?? 0)
  return free < price ? apiError('request_too_expensive', { estimate: price, free }) : null
}

function holdCredits(asked: Asked, state: AdmissionState): Decision {
  const account = state.accounts.get(asked.accountId)!
  const virtualStart = Math.max(state.virtualNow, account.virtualFinish)
  account.virtualFinish = virtualStart + asked.price
  account.balance -= asked.price
  account.openTasks += 1
  state.keys.get(asked.keyId)!.creditUsed += asked.price
  return {
    kind: 'accepted',
    credits: creditsOf(asked, state),
    balanceAfter: account.balance,
    virtualStart,
    virtualFinish: account.virtualFinish,
  }
}

function setCreditsAside(asked: Asked, state: AdmissionState): Decision {
  const { accounts, keys } = state.requests
  const before = accounts.get(asked.accountId) ?? { open: 0, credits: 0 }
  accounts.set(asked.accountId, { open: before.open + 1, credits: before.credits + asked.price })
  keys.set(asked.keyId, (keys.get(asked.keyId) ?? 0) + asked.price)
  return {
    kind: 'accepted',
    credits: creditsOf(asked, state),
    balanceAfter: state.accounts.get(asked.accountId)!.balance,
    virtualStart: 0,
    virtualFinish: 0,
  }
}

/** After the decision. Credits that open inference requests may cost do not count as left. */
function creditsOf({ accountId, keyId, price }: Asked, { accounts, keys, requests }: AdmissionState): Credits {
  const { creditLimit, creditUsed } = keys.get(keyId)!
  const ofAccount = accounts.get(accountId)!.balance - (requests.accounts.get(accountId)?.credits ?? 0)
  const ofKey = creditLimit === null ? ofAccount : creditLimit - creditUsed - (requests.keys.get(keyId) ?? 0)
  return { held: price, left: Math.max(0, Math.min(ofAccount, ofKey)) }
}

export const repeatedWithAnotherBody = () =>
  invalidField('Idempotency-Key', 'was used before with another body; use a new key for a new request')

const refuse = (error: ApiError): Decision => ({ kind: 'refused', error })
