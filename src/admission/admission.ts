// Admits everything that creates work: row, credit hold, job and idempotency record in one transaction. Concurrent
// submissions share a transaction, and each is accepted or refused by itself (decision.ts). What can be admitted, a
// task or an inference request, is a `Kind` that its owner declares.
import { recordHolds } from '../accounts/ledger.ts'
import { lockBalances, storeBalances } from '../accounts/locked-balances.ts'
import { createGroupCommit } from '../commit/group-commit.ts'
import { findAfterLostCommit } from '../commit/lost-commit.ts'
import type { ApiError } from '../contract/errors.ts'
import type { Db, Sql, Tx } from '../db/db.ts'
import { retrying } from '../db/retry.ts'
import type { Clock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import type { Logger } from '../platform/logger.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import type { NewJob, Queue } from '../queue/queue.ts'
import {
  type AdmissionState,
  type Ask,
  type Credits,
  type Decision,
  decideAdmission,
  repeatedWithAnotherBody,
} from './decision.ts'
import { type Idempotency, idempotencyId, recall, recallOne, remember } from './idempotency.ts'

export interface Accepted<Details> {
  id: string
  createdAt: number
  submission: Submission<Details>
  virtualStart: number
  virtualFinish: number
}

/** Something that can be admitted. */
export interface Kind<Details> {
  readonly name: Ask['kind']
  /** Inserts the rows of accepted submissions and returns their jobs. */
  store(tx: Tx, accepted: Accepted<Details>[]): Promise<NewJob[]>
  /** Whether this id has a row. */
  isStored(sql: Sql, id: string): Promise<boolean>
  /** The current virtual time; omitted by kinds that are not served in fair order. */
  virtualNow?(tx: Tx): Promise<number>
  /** Open work of these accounts, per key: how many requests, and the credits that they may cost. */
  openWork?(tx: Tx, accountIds: string[]): Promise<{ account: string; key: string; count: number; credits: number }[]>
}

export interface Submission<Details> {
  kind: Kind<Details>
  details: Details
  accountId: string
  keyId: string
  /** The credits that it costs, or may cost. */
  price: number
  features: string[]
  callBackUrl: string | null
  idempotency: Idempotency | null
  /** Why no engine can take it; null when one can. */
  refusal?: ApiError | null
}

export interface Admitted {
  /** Of the submission, or of the one that it repeats. */
  id: string
  credits: Credits
}

export interface Admission {
  /** Rejects with an ApiError when the submission is refused. */
  submit<Details>(submission: Submission<Details>): Promise<Admitted>
  /** The id created by an earlier request with this idempotency key; rejects when its body was different. */
  findRepeat(keyId: string, idempotency: Idempotency | null): Promise<string | null>
  readonly pending: number
  /** How long the current batch has been running; 0 when there is none. */
  readonly batchAgeMs: number
}

interface AdmissionDeps {
  db: Db
  queue: Queue
  clock: Clock
  log: Logger
  /** The maximum of unfinished tasks, and of unfinished inference requests, per account. */
  openMax: number
  featureEnabled(name: string): boolean
  /** Returns the accounts that have too many undelivered callbacks to request more. */
  callbacksFull?(tx: Tx, accountIds: string[]): Promise<ReadonlySet<string>>
  /** 1 turns coalescing off, for comparison. */
  batchMax?: number
}

// biome-ignore lint/suspicious/noExplicitAny: a batch mixes kinds; each kind gets only its own submissions.
type AnySubmission = Submission<any>
interface Entry {
  ask: Ask
  submission: AnySubmission
  createdAt: number
  /** By the last transaction that it was part of. */
  decision?: Decision
}

/** Later creations do not wait for a batch that is stuck on a dead connection or a locked account. */
const stuckAfterMs = 10_000

export function createAdmission(deps: AdmissionDeps): Admission {
  // In transactions of its own: they lock the rows of accounts, which other stages need not wait for.
  const commits = createGroupCommit({ db: deps.db, log: deps.log, batchMax: deps.batchMax, stuckAfterMs })
  const admit = commits.stage<Entry, Admitted>({
    name: 'creations',
    async work(tx, entries) {
      const decisions = await decideAndStore(deps, tx, entries)
      return entries.map((entry, i) => {
        entry.decision = decisions[i]!
        return outcomeOf(entry)
      })
    },
  })

  /** Undefined when the submission has no row: it may have been refused, or the transaction was rolled back. */
  async function findStored(entry: Entry): Promise<Admitted | undefined> {
    const { kind } = entry.submission
    const look = () => kind.isStored(deps.db, entry.ask.id)
    const isStored = await retrying('lookUp', look, { failureOf: () => 'any' })
    return isStored ? (outcomeOf(entry) as Admitted) : undefined
  }

  return {
    submit(submission) {
      const entry = toEntry(submission, deps.clock.now())
      return admit(entry).catch(findAfterLostCommit(() => findStored(entry)))
    },
    async findRepeat(keyId, idempotency) {
      if (!idempotency) return null
      const before = await recallOne(deps.db, idempotencyId(keyId, idempotency), deps.clock.now())
      if (!before) return null
      if (before.bodyHash !== idempotency.bodyHash) throw repeatedWithAnotherBody()
      return before.subject
    },
    get batchAgeMs() {
      return commits.batchAgeMs
    },
    get pending() {
      return commits.pending
    },
  }
}

async function decideAndStore(deps: AdmissionDeps, tx: Tx, entries: Entry[]): Promise<Decision[]> {
  const state = await readState(deps, tx, entries)
  const decisions = entries.map(({ ask }) => decideAdmission(ask, state))
  const accepted = entries.flatMap(({ ask, submission, createdAt }, i) => {
    const decision = decisions[i]!
    return decision.kind === 'accepted' ? [{ ...decision, id: ask.id, ask, submission, createdAt }] : []
  })
  if (accepted.length === 0) return decisions

  const nowMs = deps.clock.now()
  const repeatable = accepted.flatMap(({ ask, id }) => (ask.idempotency ? [{ ...ask.idempotency, subject: id }] : []))
  const held = accepted.filter(({ ask }) => ask.kind === 'task')
  const holds = held.map(({ ask, balanceAfter }) => ({ ...ask, balanceAfter }))
  const changed = {
    accountIds: new Set(held.map(({ ask }) => ask.accountId)),
    keyIds: new Set(held.map(({ ask }) => ask.keyId)),
  }
  const kinds = [...Map.groupBy(accepted, ({ submission }) => submission.kind)]
  const [jobs] = await waitForAll([
    waitForAll(kinds.map(([kind, ofKind]) => kind.store(tx, ofKind))),
    remember(tx, repeatable, nowMs),
    recordHolds(tx, holds, nowMs),
    storeBalances(tx, state, changed),
  ])
  await deps.queue.enqueue(tx, jobs.flat())
  return decisions
}

async function readState(deps: AdmissionDeps, tx: Tx, entries: Entry[]): Promise<AdmissionState> {
  const distinct = (values: string[]) => [...new Set(values)]
  const accountIds = distinct(entries.map(({ ask }) => ask.accountId))
  const keyIds = distinct(entries.map(({ ask }) => ask.keyId))
  const repeatable = entries.flatMap(({ ask }) => (ask.idempotency ? [ask.idempotency.id] : []))
  const calledBack = distinct(entries.flatMap(({ ask }) => (ask.callBackUrl ? [ask.accountId] : [])))
  const kinds = [...new Set(entries.map(({ submission }) => submission.kind))]
  // The locks come first: what is read after them cannot change before the transaction ends.
  const [balances, remembered, callbacksFull, virtualTimes, openWork] = await waitForAll([
    lockBalances(tx, accountIds, keyIds),
    recall(tx, repeatable, deps.clock.now()),
    calledBack.length > 0 ? deps.callbacksFull?.(tx, calledBack) : undefined,
    waitForAll(kinds.map((kind) => kind.virtualNow?.(tx))),
    waitForAll(kinds.map((kind) => kind.openWork?.(tx, accountIds))),
  ])
  const requests = { accounts: new Map<string, { open: number; credits: number }>(), keys: new Map<string, number>() }
  for (const { account, key, count, credits } of openWork.flatMap((work) => work ?? [])) {
    const before = requests.accounts.get(account) ?? { open: 0, credits: 0 }
    requests.accounts.set(account, { open: before.open + count, credits: before.credits + credits })
    requests.keys.set(key, (requests.keys.get(key) ?? 0) + credits)
  }
  return {
    ...balances,
    ...(callbacksFull ? { callbacksFull } : {}),
    requests,
    remembered,
    virtualNow: Math.max(0, ...virtualTimes.map((ms) => ms ?? 0)),
    openMax: deps.openMax,
    featureEnabled: deps.featureEnabled,
  }
}

function toEntry(submission: AnySubmission, nowMs: number): Entry {
  const { kind, accountId, keyId, price, features, refusal, callBackUrl, idempotency } = submission
  const ask: Ask = {
    kind: kind.name,
    id: newId(nowMs),
    accountId,
    keyId,
    price,
    features,
    callBackUrl,
    refusal: refusal ?? null,
    idempotency: idempotency && { id: idempotencyId(keyId, idempotency), bodyHash: idempotency.bodyHash },
  }
  return { ask, submission, createdAt: nowMs }
}

/** The entry has a decision. */
function outcomeOf({ ask, decision }: Entry): Admitted | ApiError {
  if (decision!.kind === 'refused') return decision!.error
  return { id: decision!.kind === 'replayed' ? decision!.id : ask.id, credits: decision!.credits }
}
