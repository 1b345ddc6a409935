// Runs one delivery job: one attempt, then one transaction for the attempt's row, the delivery's state and the next
// job. Attempts that end at about the same time share a transaction. When to retry is decided in
// webhooks/retry-delay.ts.
import type { Db, Tx } from '../db/db.ts'
import type { GuardedFetch } from '../outbound/guarded-fetch.ts'
import { createBatcher } from '../platform/batcher.ts'
import type { Clock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import type { Job, JobHandler, Queue } from '../queue/queue.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { type AttemptOutcome, attemptDelivery, type SendableDelivery } from './attempt.ts'
import { deliverJob } from './deliveries.ts'
import type { Receivers } from './receivers.ts'
import { retryDelayMs } from './retry-delay.ts'
import { selectSendable } from './secrets.ts'

export interface DeliverDeps {
  db: Db
  queue: Queue
  clock: Clock
  fetch: GuardedFetch
  secretBox: SecretBox
  /** Delays between the attempts of a round, which has one more attempt than delays. */
  delaysMs: readonly number[]
  /** The time limit of an attempt, if not the default. */
  attemptMs?: number | undefined
  receivers: Receivers
  /** For metrics. */
  onAttempt(result: AttemptOutcome['result']): void
}

interface Attempted {
  job: Job
  delivery: SendableDelivery
  outcome: AttemptOutcome
}

/** Hundreds of attempts can time out at once; the limit lets other transactions run in between. */
const recordMax = 32
/** At most this many interrupted attempts are recorded, however many there were. */
const interruptedMax = 10

export function createDeliver(deps: DeliverDeps): JobHandler {
  const recorder = createBatcher<Attempted, undefined>(
    (attempted) =>
      deps.db.transaction(async (tx) => {
        for (const each of attempted) await record(deps, tx, each)
        return attempted.map(() => undefined)
      }),
    { batchMax: recordMax },
  )
  return async (job, signal) => {
    const delivery = await deps.db.one<SendableDelivery>(selectSendable, [job.subject])
    if (delivery?.state !== 'pending') return 'done'
    const outcome = await attemptDelivery(deps, delivery, signal)
    await recorder.add({ job, delivery, outcome })
    if (outcome.result === 'delivered') deps.receivers.succeeded(job.group)
    else deps.receivers.failed(job.group)
    deps.onAttempt(outcome.result)
    return 'settled'
  }
}

async function record(deps: DeliverDeps, tx: Tx, { job, delivery, outcome }: Attempted): Promise<void> {
  await tx.insert('delivery_attempts', [...interruptedRows(job, delivery, outcome.at), attemptRow(delivery, outcome)])
  // Another worker has the job now and decides what is next; this attempt stays on record.
  if (!(await deps.queue.complete(tx, job))) return
  const nowMs = deps.clock.now()
  const tries = delivery.tries + 1
  if (outcome.result === 'failed') {
    const failed = { attempts: tries, retryAfterMs: outcome.retryAfterMs, random: Math.random() }
    const delayMs = retryDelayMs(failed, deps.delaysMs)
    if (delayMs !== null) {
      await tx.run(`update deliveries set tries = ?, next_at = ? where id = ? and state = 'pending'`, [
        tries,
        nowMs + delayMs,
        delivery.id,
      ])
      await deps.queue.enqueue(tx, [deliverJob({ ...delivery, tries, order_no: nowMs }, delayMs)])
      return
    }
  }
  await tx.run(
    `update deliveries set state = ?, tries = ?, next_at = null, ended_at = ? where id = ? and state = 'pending'`,
    [outcome.result === 'delivered' ? 'delivered' : 'failed', tries, nowMs, delivery.id],
  )
}

/**
 * Earlier claims of this attempt that never reported an outcome: the receiver may have received those callbacks too.
 */
function interruptedRows(job: Job, delivery: SendableDelivery, atMs: number) {
  return Array.from({ length: Math.min(job.failures, interruptedMax) }, () => ({
    id: newId(atMs),
    delivery_id: delivery.id,
    at: atMs,
    duration_ms: 0,
    status: null,
    error: 'an earlier attempt was interrupted by the service before its outcome was known',
    answer: null,
    request_headers: null,
    answer_headers: null,
  }))
}

function attemptRow(delivery: SendableDelivery, outcome: AttemptOutcome) {
  return {
    id: newId(outcome.at),
    delivery_id: delivery.id,
    at: outcome.at,
    duration_ms: outcome.durationMs,
    status: outcome.status,
    error: outcome.error,
    answer: outcome.answer,
    request_headers: JSON.stringify(outcome.requestHeaders),
    answer_headers: outcome.answerHeaders && JSON.stringify(outcome.answerHeaders),
  }
}
