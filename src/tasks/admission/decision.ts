// Who of a batch of submissions is accepted, as a pure function of what the database held when the batch began.
// Submissions are decided one after the other, each seeing what the accepted ones before it took.
import { type ApiError, apiError, invalid } from '../../contract/errors.ts'

export interface AccountStanding {
  balance: number
  openTasks: number
  /** Virtual finish time of the account's last task. */
  virtualFinish: number
}

export interface KeyStanding {
  creditLimit: number | null
  creditUsed: number
}

/** What one submission asks, as far as admission cares. */
export interface Ask {
  taskId: string
  accountId: string
  keyId: string
  price: number
  features: string[]
  idempotency: { id: string; bodyHash: string } | null
  /** Why no engine can take it; null when one can. */
  refusal?: ApiError | null
  callBackUrl?: string | null
}

export interface AdmissionState {
  accounts: Map<string, AccountStanding>
  keys: Map<string, KeyStanding>
  /** Remembered idempotent requests by id. */
  remembered: Map<string, { bodyHash: string; taskId: string }>
  /** Virtual time now: where the queue's head began (see `virtualNow` in tasks/admission/admit.ts). */
  virtualNow: number
  openTasksMax: number
  /** Accounts with so many undelivered callbacks that they may not ask for more. */
  callbacksFull?: ReadonlySet<string>
  featureEnabled(name: string): boolean
}

export type Decision =
  | { kind: 'accepted'; balanceAfter: number; virtualStart: number; virtualFinish: number }
  | { kind: 'replayed'; taskId: string }
  | { kind: 'refused'; error: ApiError }

/** Decides one submission and, when it is accepted, moves the standings in `state`. */
export function decideAdmission(ask: Ask, state: AdmissionState): Decision {
  const before = ask.idempotency && state.remembered.get(ask.idempotency.id)
  if (before) {
    if (before.bodyHash === ask.idempotency!.bodyHash) return { kind: 'replayed', taskId: before.taskId }
    return refuse(repeatedWithAnotherBody())
  }
  const disabled = ask.features.find((feature) => !state.featureEnabled(feature))
  if (disabled) return refuse(apiError('feature_disabled', { feature: disabled }))
  if (ask.refusal) return refuse(ask.refusal)

  const account = state.accounts.get(ask.accountId)!
  const key = state.keys.get(ask.keyId)!
  if (account.openTasks >= state.openTasksMax) {
    return refuse(apiError('too_many_tasks', { open: account.openTasks, retryAfterS: 10 }))
  }
  if (ask.callBackUrl && state.callbacksFull?.has(ask.accountId)) return refuse(tooManyCallbacks())
  if (key.creditLimit !== null && key.creditUsed + ask.price > key.creditLimit) {
    const left = key.creditLimit - key.creditUsed
    return refuse(apiError('task_over_credit_limit', { price: ask.price, left }))
  }
  if (account.balance < ask.price) {
    return refuse(apiError('task_too_expensive', { price: ask.price, balance: account.balance }))
  }

  const virtualStart = Math.max(state.virtualNow, account.virtualFinish)
  account.virtualFinish = virtualStart + ask.price
  account.balance -= ask.price
  account.openTasks += 1
  key.creditUsed += ask.price
  if (ask.idempotency) {
    state.remembered.set(ask.idempotency.id, { bodyHash: ask.idempotency.bodyHash, taskId: ask.taskId })
  }
  return { kind: 'accepted', balanceAfter: account.balance, virtualStart, virtualFinish: account.virtualFinish }
}

export const tooManyCallbacks = () => apiError('too_many_callbacks', { retryAfterS: 30 })

export const repeatedWithAnotherBody = () =>
  invalid(['Idempotency-Key: was used before with another body; use a new key for a new request'])

const refuse = (error: ApiError): Decision => ({ kind: 'refused', error })
