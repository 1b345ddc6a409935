// Admits everything that creates work: row, credit hold, job and idempotency record in one transaction. Concurrent
// submissions share a transaction, and each is accepted or refused by itself (decision.ts). What can be admitted, a
// task or an inference request, is declared by its owner (submission.ts).
import { recordHolds } from '../accounts/ledger.ts'
import { lockBalances, storeBalances } from '../accounts/locked-balances.ts'
import { createGroupCommit } from '../commit/group-commit.ts'
import { findAfterLostCommit } from '../commit/lost-commit.ts'
import type { ApiError } from '../contract/errors.ts'
import type { Db, Tx } from '../db/db.ts'
import { retrying } from '../db/retry.ts'
import type { Clock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import type { Logger } from '../platform/logger.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import type { Queue } from '../queue/queue.ts'
import {
  type AdmissionState,
  type Credits,
  type Decision,
  decideAdmission,
  repeatedWithAnotherBody,
} from './decision.ts'
import { type Idempotency, recall, recallOne, remember } from './idempotency.ts'
import type { NewSubmission, Submission } from './submission.ts'

export interface Admitted {
  /** Of the submission, or of the one that it repeats. */
  id: string
  credits: Credits
}

export interface Admission {
  /** Rejects with an ApiError when the submission is refused. */
  submit<Details>(submission: NewSubmission<Details>): Promise<Admitted>
  /** The id created by an earlier request with this idempotency key; rejects when its body was different. */
  findRepeat(idempotency: Idempotency | null): Promise<string | null>
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
  submission: AnySubmission
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
      const submissions = entries.map(({ submission }) => submission)
      const decisions = await decideAndStore(deps, tx, submissions)
      return entries.map((entry, i) => {
        entry.decision = decisions[i]!
        return outcomeOf(entry)
      })
    },
  })

  /** Undefined when the submission has no row: it may have been refused, or the transaction was rolled back. */
  async function findStored(entry: Entry): Promise<Admitted | undefined> {
    const { kind, id } = entry.submission
    const isStored = await retrying('lookUp', () => kind.isStored(deps.db, id), { failureOf: () => 'any' })
    return isStored ? (outcomeOf(entry) as Admitted) : undefined
  }

  return {
    submit(submission) {
      const createdAt = deps.clock.now()
      const entry: Entry = { submission: { ...submission, id: newId(createdAt), createdAt } }
      return admit(entry).catch(findAfterLostCommit(() => findStored(entry)))
    },
    async findRepeat(idempotency) {
      if (!idempotency) return null
      const before = await recallOne(deps.db, idempotency.id, deps.clock.now())
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

async function decideAndStore(deps: AdmissionDeps, tx: Tx, submissions: AnySubmission[]): Promise<Decision[]> {
  const state = await readState(deps, tx, submissions)
  const decisions = submissions.map((submission) => decideAdmission(submission, state))
  const accepted = submissions.flatMap((submission, i) => {
    const decision = decisions[i]!
    return decision.kind === 'accepted' ? [{ submission, decision }] : []
  })
  if (accepted.length === 0) return decisions

  const nowMs = deps.clock.now()
  const repeatable = accepted.flatMap(({ submission: { idempotency, id } }) =>
    idempotency ? [{ ...idempotency, subject: id }] : [],
  )
  const held = accepted.filter(({ submission }) => submission.kind.name === 'task')
  const holds = held.map(({ submission, decision }) => ({ ...submission, balanceAfter: decision.balanceAfter }))
  const changed = {
    accountIds: new Set(holds.map(({ accountId }) => accountId)),
    keyIds: new Set(holds.map(({ keyId }) => keyId)),
  }
  const kinds = [...Map.groupBy(accepted, ({ submission }) => submission.kind)]
  const [jobs] = await waitForAll([
    waitForAll(
      kinds.map(([kind, ofKind]) =>
        kind.store(
          tx,
          ofKind.map(({ submission, decision: { virtualStart, virtualFinish } }) => ({
            ...submission,
            virtualStart,
            virtualFinish,
          })),
        ),
      ),
    ),
    remember(tx, repeatable, nowMs),
    recordHolds(tx, holds, nowMs),
    storeBalances(tx, state, changed),
  ])
  await deps.queue.enqueue(tx, jobs.flat())
  return decisions
}

async function readState(deps: AdmissionDeps, tx: Tx, submissions: AnySubmission[]): Promise<AdmissionState> {
  const distinct = (values: string[]) => [...new Set(values)]
  const accountIds = distinct(submissions.map(({ accountId }) => accountId))
  const keyIds = distinct(submissions.map(({ keyId }) => keyId))
  const repeatable = submissions.flatMap(({ idempotency }) => (idempotency ? [idempotency.id] : []))
  const calledBack = distinct(submissions.flatMap(({ callBackUrl, accountId }) => (callBackUrl ? [accountId] : [])))
  const kinds = [...new Set(submissions.map(({ kind }) => kind))]
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

/** The entry has a decision. */
function outcomeOf({ submission, decision }: Entry): Admitted | ApiError {
  if (decision!.kind === 'refused') return decision!.error
  return { id: decision!.kind === 'replayed' ? decision!.id : submission.id, credits: decision!.credits }
}
