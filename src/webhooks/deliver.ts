// Runs one delivery job: one attempt, then one transaction for the attempt's row, the delivery's state and the next
// job. Attempts that end at about the same time share a transaction.
import type { GroupCommit } from '../commit/group-commit.ts'
import { anyOf, type Db, forUpdate, type Tx } from '../db/db.ts'
import { updateEach } from '../db/update-each.ts'
import type { GuardedFetch } from '../outbound/guarded-fetch.ts'
import { createBatcher } from '../platform/batcher.ts'
import type { Clock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import type { Logger } from '../platform/logger.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import type { Job, JobHandler, Queue } from '../queue/queue.ts'
import { crashesMax, hasCrashedTooOften } from '../queue/queue.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { type AttemptOutcome, attemptDelivery, type SendableDelivery } from './attempt.ts'
import { type DeliveryRow, deliverJob } from './deliveries.ts'
import type { Receivers } from './receivers.ts'
import { selectSendable } from './secrets.ts'

export interface DeliverDeps {
  db: Db
  transactions: GroupCommit
  queue: Queue
  clock: Clock
  log: Logger
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

/** At most this many interrupted attempts are recorded, however many there were. */
const interruptedMax = 10
/** Limits the bodies that one statement reads; those of the large queue have megabytes. */
const readMax = 32

export function createDeliver(deps: DeliverDeps): JobHandler {
  const find = createBatcher<string, SendableDelivery | undefined>(
    async (ids) => {
      const rows = await deps.db.all<SendableDelivery>(selectSendable(deps.db), [JSON.stringify(ids)])
      const byId = new Map(rows.map((row) => [row.id, row]))
      return ids.map((id) => byId.get(id))
    },
    { batchMax: readMax },
  )
  const record = deps.transactions.stage<Attempted, undefined>({
    name: 'attempts at callbacks',
    work: (tx, attempted) => recordAll(deps, tx, attempted),
    locks: ({ job }) => ({ jobOf: job.subject }),
    // If a power cut undoes the record of an attempt, the callback is sent again with the same id.
    durable: false,
  })
  return async (job, signal, freeSlot) => {
    const delivery = await find.add(job.subject)
    if (delivery?.state !== 'pending') return 'done'
    const crashed = hasCrashedTooOften(job)
    const outcome = crashed ? notSent(deps.clock.now()) : await attemptDelivery(deps, delivery, signal)
    if (crashed) deps.log.warn({ delivery: delivery.id }, 'a callback was given up: every process that sent it crashed')
    else if (outcome.result === 'delivered') deps.receivers.succeeded(job.group)
    else deps.receivers.failed(job.group)
    freeSlot()
    await record({ job, delivery, outcome })
    deps.onAttempt(outcome.result)
    return 'settled'
  }
}

/** A callback that would bring down the next process too. Its owner may send it again. */
const notSent = (nowMs: number): AttemptOutcome => ({
  at: nowMs,
  durationMs: 0,
  status: null,
  error: `not sent: the service crashed during ${crashesMax} attempts in a row`,
  answer: null,
  requestHeaders: {},
  answerHeaders: null,
  result: 'refused',
  retryAfterMs: null,
})

async function recordAll(deps: DeliverDeps, tx: Tx, attempted: Attempted[]): Promise<undefined[]> {
  // Independent statements are sent together, which saves round trips.
  const [completed, stored] = await waitForAll([
    deps.queue.complete(
      tx,
      attempted.map(({ job }) => job),
    ),
    lockStored(tx, attempted),
  ])
  const nowMs = deps.clock.now()
  // Another worker has the other jobs now and decides what is next; their attempts stay on record.
  const decided = attempted
    .filter(({ job, delivery }) => completed.has(job) && stored.get(delivery.id)?.state === 'pending')
    .map((each) => ({ ...each, delayMs: delayAfter(deps, each, stored.get(each.delivery.id)!) }))
  await waitForAll([
    setOutcomes(tx, decided, nowMs),
    deps.queue.enqueue(
      tx,
      decided.flatMap(({ delivery, delayMs }) =>
        delayMs === null
          ? []
          : [deliverJob({ ...delivery, attempts: delivery.attempts + 1, serving_order: nowMs }, delayMs)],
      ),
    ),
    tx.insert(
      'delivery_attempts',
      attempted
        .filter(({ delivery }) => stored.has(delivery.id))
        .flatMap(({ job, delivery, outcome }) => [
          ...interruptedRows(job, delivery, outcome.at),
          attemptRow(delivery, outcome),
        ]),
    ),
  ])
  return attempted.map(() => undefined)
}

type Stored = Pick<DeliveryRow, 'id' | 'state' | 'round_at'>

/** Those deliveries that still exist: the owner of a task may delete it during an attempt. */
async function lockStored(tx: Tx, attempted: Attempted[]): Promise<Map<string, Stored>> {
  const rows = await tx.all<Stored>(
    `select id, state, round_at from deliveries where ${anyOf(tx, 'id')} order by id ${forUpdate(tx)}`,
    [JSON.stringify(attempted.map(({ delivery }) => delivery.id))],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** When to send it again; null when this was the last attempt. */
function delayAfter({ delaysMs }: DeliverDeps, { delivery, outcome }: Attempted, stored: Stored): number | null {
  if (outcome.result !== 'failed') return null
  const isResent = stored.round_at !== delivery.round_at
  if (isResent) return 0
  const failed = { attempts: delivery.attempts + 1, retryAfterMs: outcome.retryAfterMs, random: Math.random() }
  return retryDelayMs(failed, delaysMs)
}

async function setOutcomes(tx: Tx, decided: (Attempted & { delayMs: number | null })[], nowMs: number): Promise<void> {
  await updateEach(
    tx,
    {
      table: 'deliveries',
      columns: { state: 'text', attempts: 'bigint', next: 'bigint', ended: 'bigint' },
      set: ({ state, attempts, next, ended }) =>
        `state = ${state}, attempts = ${attempts}, next_at = ${next}, ended_at = ${ended}`,
      areLocked: true,
    },
    decided.map(({ delivery, outcome, delayMs }) => ({
      id: delivery.id,
      state: delayMs !== null ? 'pending' : outcome.result === 'delivered' ? 'delivered' : 'failed',
      attempts: delivery.attempts + 1,
      next: delayMs === null ? null : nowMs + delayMs,
      ended: delayMs === null ? nowMs : null,
    })),
  )
}

/**
 * Earlier claims of this attempt that never reported an outcome: the receiver may have received those callbacks too.
 */
function interruptedRows(job: Job, delivery: SendableDelivery, atMs: number) {
  return Array.from({ length: Math.min(job.failures + job.crashes, interruptedMax) }, () => ({
    id: newId(atMs),
    delivery_id: delivery.id,
    started_at: atMs,
    duration_ms: 0,
    status: null,
    error: 'an earlier attempt was interrupted by the service before its outcome was known',
    response: null,
    request_headers: null,
    response_headers: null,
  }))
}

function attemptRow(delivery: SendableDelivery, outcome: AttemptOutcome) {
  return {
    id: newId(outcome.at),
    delivery_id: delivery.id,
    started_at: outcome.at,
    duration_ms: outcome.durationMs,
    status: outcome.status,
    error: outcome.error,
    response: outcome.answer,
    request_headers: JSON.stringify(outcome.requestHeaders),
    response_headers: outcome.answerHeaders && JSON.stringify(outcome.answerHeaders),
  }
}

/** The longest delay that a receiver's `Retry-After` can ask for. */
const retryAfterMaxMs = 3_600_000
const spread = 0.1

interface FailedAttempt {
  /** Attempts made in this round, including this one. */
  attempts: number
  /** The receiver's `Retry-After`, if it sent one. */
  retryAfterMs: number | null
  /** From 0 to 1: the position of the delay within ±10 %, so that callbacks are not all retried at once. */
  random: number
}

/** Pure: milliseconds until the next attempt; null when none is left. */
export function retryDelayMs(
  { attempts, retryAfterMs, random }: FailedAttempt,
  delaysMs: readonly number[],
): number | null {
  const planned = delaysMs[attempts - 1]
  if (planned === undefined) return null
  const spreadMs = Math.round(planned * (1 - spread + 2 * spread * random))
  return Math.max(spreadMs, Math.min(retryAfterMs ?? 0, retryAfterMaxMs))
}
