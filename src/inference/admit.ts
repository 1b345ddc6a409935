// Admission of an inference request: request, idempotency record and job in one transaction, or a refusal.
//
// Credits: nothing is taken yet, because the cost is known only once the tokens are counted. What a request may cost
// is set aside in the count: a new one is accepted when the balance covers it and all that are still open. The charge
// at the end checks again, so that a balance spent elsewhere meanwhile fails the request and never goes below zero.

import { apiError } from '../contract/errors.ts'
import { CommitUnknownError, type Db, forUpdate, type Tx } from '../db/db.ts'
import type { Clock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import type { Queue } from '../queue/queue.ts'
import { idempotencyId, idempotencyTtlMs } from '../tasks/admission/admit.ts'
import { repeatedWithAnotherBody, tooManyCallbacks } from '../tasks/admission/decision.ts'
import { findRequest } from './requests.ts'

export const inferQueue = 'infer'

export interface InferenceSubmission {
  accountId: string
  keyId: string
  model: string
  /** The accepted body, as JSON. */
  param: string
  webhook: string | null
  estimate: number
  features: string[]
  idempotency: { route: string; key: string; bodyHash: string } | null
  /** The work waits this long, or until the queue is told that the answer has left. */
  waitForAnswerMs: number
}

export interface InferenceAdmitDeps {
  db: Db
  queue: Queue
  clock: Clock
  openRequestsMax: number
  featureEnabled(name: string): boolean
  callbacksFull(tx: Tx, accountIds: string[]): Promise<ReadonlySet<string>>
}

const lookUp = { tries: 20, everyMs: 500 }

/** Answers the request's id, of this submission or of the one it repeats. */
export async function admitRequest(deps: InferenceAdmitDeps, submission: InferenceSubmission): Promise<string> {
  const id = newId(deps.clock.now())
  try {
    return await deps.db.transaction((tx) => admit(deps, tx, id, submission))
  } catch (error) {
    if (!(error instanceof CommitUnknownError) || !(await wasStored(deps.db, id))) throw error
    return id
  }
}

async function admit(deps: InferenceAdmitDeps, tx: Tx, id: string, submission: InferenceSubmission): Promise<string> {
  const { accountId, keyId, idempotency } = submission
  const rememberedAs = idempotency && idempotencyId(keyId, idempotency)
  // The account's lock comes first: two equal requests at once are decided one after the other.
  const account = await tx.one<{ balance: number }>(`select balance from accounts where id = ? ${forUpdate(tx)}`, [
    accountId,
  ])
  const before = rememberedAs && (await remembered(tx, rememberedAs, deps.clock.now()))
  if (before) {
    if (before.body_hash === idempotency!.bodyHash) return before.task_id
    throw repeatedWithAnotherBody()
  }
  const disabled = submission.features.find((feature) => !deps.featureEnabled(feature))
  if (disabled) throw apiError('feature_disabled', { feature: disabled })
  if (submission.webhook !== null && (await deps.callbacksFull(tx, [accountId])).size > 0) throw tooManyCallbacks()
  await checkCredits(deps, tx, submission, account!.balance)

  const nowMs = deps.clock.now()
  await tx.insert('inference_requests', [
    {
      id,
      account_id: accountId,
      key_id: keyId,
      model: submission.model,
      param: submission.param,
      webhook: submission.webhook,
      state: 'queued',
      estimate: submission.estimate,
      created_at: nowMs,
    },
  ])
  if (rememberedAs) {
    const record = { id: rememberedAs, body_hash: idempotency!.bodyHash, task_id: id, created_at: nowMs }
    await tx.insert('idempotency', [record])
  }
  await deps.queue.enqueue(tx, [
    { queue: inferQueue, subject: id, group: accountId, order: nowMs, delayMs: submission.waitForAnswerMs },
  ])
  return id
}

async function remembered(tx: Tx, id: string, nowMs: number) {
  // What is too old to count must not stand in the way of a new row either.
  await tx.run('delete from idempotency where created_at < ? and id = ?', [nowMs - idempotencyTtlMs, id])
  return tx.one<{ body_hash: string; task_id: string }>('select body_hash, task_id from idempotency where id = ?', [id])
}

async function checkCredits(
  deps: InferenceAdmitDeps,
  tx: Tx,
  submission: InferenceSubmission,
  balance: number,
): Promise<void> {
  const { accountId, keyId, estimate } = submission
  const open = await tx.one<{ count: number; aside: number; aside_of_key: number }>(
    `select count(*) as count, coalesce(sum(estimate), 0) as aside,
     coalesce(sum(case when key_id = ? then estimate else 0 end), 0) as aside_of_key
     from inference_requests where account_id = ? and state = 'queued'`,
    [keyId, accountId],
  )
  if (open!.count >= deps.openRequestsMax) {
    throw apiError('too_many_inference_requests', { open: open!.count, retryAfterS: 5 })
  }
  const key = await tx.one<{ credit_limit: number | null; credit_used: number }>(
    'select credit_limit, credit_used from keys where id = ?',
    [keyId],
  )
  const left = key!.credit_limit === null ? null : key!.credit_limit - key!.credit_used - open!.aside_of_key
  if (left !== null && estimate > left) {
    throw apiError('request_over_credit_limit', { estimate, left })
  }
  if (balance - open!.aside < estimate) {
    throw apiError('request_too_expensive', { estimate, free: balance - open!.aside })
  }
}

async function wasStored(db: Db, id: string): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      return (await findRequest(db, id)) !== undefined
    } catch (error) {
      if (tries >= lookUp.tries) throw error
      await new Promise((resolve) => setTimeout(resolve, lookUp.everyMs))
    }
  }
}
