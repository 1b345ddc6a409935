// Admission: task, credit hold, job and idempotency record in one transaction. Concurrent creations share the next
// transaction, and each is accepted or refused on its own (tasks/admission/decision.ts).
import { ledgerRow } from '../../accounts/ledger.ts'
import type { ApiError } from '../../contract/errors.ts'
import { CommitUnknownError, DatabaseBusyError, type Db, forUpdate, inList, type Param, type Tx } from '../../db/db.ts'
import { createBatcher } from '../../platform/batcher.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId, sha256Hex } from '../../platform/ids.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Queue } from '../../queue/queue.ts'
import { type AdmissionState, type Ask, type Decision, decideAdmission, repeatedWithAnotherBody } from './decision.ts'

export interface Submission {
  accountId: string
  keyId: string
  parentId: string | null
  model: string
  engine: string
  /** The accepted body and what it means, both as JSON. */
  param: string
  videoOrder: string
  ignoredFields: string[]
  callBackUrl: string | null
  price: number
  features: string[]
  /** Why no engine can take it; null when one can. */
  refusal?: ApiError | null
  idempotency: { route: string; key: string; bodyHash: string } | null
  via?: 'inference'
  /** The work waits this long, or until the queue is told that the answer has left (`Queue.release`). */
  waitForAnswerMs?: number
}

export interface Admission {
  /** Answers the task's id, of this submission or of the one it repeats; rejects with an ApiError when refused. */
  submit(submission: Submission): Promise<string>
  /** The task that an earlier request with this idempotency key made; rejects when that had another body. */
  findRepeat(keyId: string, idempotency: Submission['idempotency']): Promise<string | null>
  readonly pending: number
  /** How long the current batch has been running; 0 when there is none. */
  readonly batchAgeMs: number
}

export interface AdmissionDeps {
  db: Db
  queue: Queue
  clock: Clock
  log: Logger
  openTasksMax: number
  featureEnabled(name: string): boolean
  /** Of these accounts, those with so many undelivered callbacks that they may not ask for more. */
  callbacksFull?(tx: Tx, accountIds: string[]): Promise<ReadonlySet<string>>
  /** 1 turns coalescing off, for comparison. */
  batchMax?: number
}

export const idempotencyTtlMs = 24 * 3_600_000

type Entry = Submission & Ask & { createdAt: number }

/** How long and how often a lost COMMIT is looked into before its callers are told that something went wrong. */
const lookUp = { tries: 20, everyMs: 500 }

export function createAdmission(deps: AdmissionDeps): Admission {
  const batcher = createBatcher<Submission, string>(admitBatch, { batchMax: deps.batchMax ?? 512 })

  async function admitBatch(submissions: Submission[]): Promise<(string | Error)[]> {
    const entries = submissions.map((submission) => toEntry(submission, deps.clock.now()))
    try {
      return await admit(entries)
    } catch (error) {
      // No row is to blame for a locked database, and waiting for it again, one by one, would take minutes.
      if (entries.length === 1 || error instanceof DatabaseBusyError) return entries.map(() => asError(error))
      deps.log.warn({ err: error, size: entries.length }, 'a batch of creations failed; each is tried alone')
      const answers: (string | Error)[] = []
      for (const entry of entries) {
        answers.push(await admit([entry]).then(([answer]) => answer!, asError))
      }
      return answers
    }
  }

  async function admit(entries: Entry[]): Promise<(string | Error)[]> {
    try {
      const decisions = await deps.db.transaction((tx) => decideAndStore(deps, tx, entries))
      return decisions.map((decision, i) => answerOf(decision, entries[i]!))
    } catch (error) {
      if (!(error instanceof CommitUnknownError)) throw error
      const stored = await findStored(entries)
      return entries.map((entry) => (stored.has(entry.taskId) ? entry.taskId : error))
    }
  }

  async function findStored(entries: Entry[]): Promise<Set<string>> {
    const ids = JSON.stringify(entries.map((entry) => entry.taskId))
    for (let tries = 1; ; tries++) {
      try {
        const rows = await deps.db.all<{ id: string }>(`select id from tasks where ${inList(deps.db, 'id')}`, [ids])
        return new Set(rows.map((row) => row.id))
      } catch (error) {
        if (tries >= lookUp.tries) throw error
        await new Promise((resolve) => setTimeout(resolve, lookUp.everyMs))
      }
    }
  }

  return {
    submit: (submission) => batcher.add(submission),
    async findRepeat(keyId, idempotency) {
      if (!idempotency) return null
      const before = await deps.db.one<{ body_hash: string; task_id: string }>(
        'select body_hash, task_id from idempotency where id = ? and created_at >= ?',
        [idempotencyId(keyId, idempotency), deps.clock.now() - idempotencyTtlMs],
      )
      if (!before) return null
      if (before.body_hash !== idempotency.bodyHash) throw repeatedWithAnotherBody()
      return before.task_id
    },
    get batchAgeMs() {
      return batcher.batchAgeMs
    },
    get pending() {
      return batcher.pending
    },
  }
}

async function decideAndStore(deps: AdmissionDeps, tx: Tx, entries: Entry[]): Promise<Decision[]> {
  const state = await readState(deps, tx, entries)
  const decisions = entries.map((entry) => decideAdmission(entry, state))
  const accepted = entries.flatMap((entry, i) => {
    const decision = decisions[i]!
    return decision.kind === 'accepted' ? [{ entry, decision }] : []
  })
  if (accepted.length === 0) return decisions

  await tx.insert(
    'tasks',
    accepted.map(({ entry, decision }) => taskRow(entry, decision)),
  )
  await tx.insert(
    'ledger',
    accepted.map(({ entry, decision }) =>
      ledgerRow({ ...entry, kind: 'hold', amount: -entry.price }, decision.balanceAfter, entry.createdAt),
    ),
  )
  await tx.insert(
    'idempotency',
    accepted.flatMap(({ entry }) => (entry.idempotency ? [idempotencyRow(entry)] : [])),
  )
  await storeStandings(
    tx,
    state,
    accepted.map(({ entry }) => entry),
  )
  await deps.queue.enqueue(
    tx,
    accepted.map(({ entry, decision }) => ({
      queue: 'prepare',
      subject: entry.taskId,
      group: entry.accountId,
      order: decision.virtualFinish,
      delayMs: entry.waitForAnswerMs ?? 0,
    })),
  )
  return decisions
}

async function readState(deps: AdmissionDeps, tx: Tx, entries: Entry[]): Promise<AdmissionState> {
  // Sorted reads: two processes lock accounts, then keys, in the same order and cannot wait for each other.
  const accountIds = [...new Set(entries.map((entry) => entry.accountId))]
  const accounts = await tx.all<{ id: string; balance: number; open_tasks: number; virtual_finish: number }>(
    `select id, balance, open_tasks, virtual_finish from accounts where ${inList(tx, 'id')} order by id ${forUpdate(tx)}`,
    [JSON.stringify(accountIds)],
  )
  const keyIds = [...new Set(entries.map((entry) => entry.keyId))]
  const keys = await tx.all<{ id: string; credit_limit: number | null; credit_used: number }>(
    `select id, credit_limit, credit_used from keys where ${inList(tx, 'id')} order by id ${forUpdate(tx)}`,
    [JSON.stringify(keyIds)],
  )
  const repeatable = entries.flatMap((entry) => (entry.idempotency ? [entry.idempotency.id] : []))
  if (repeatable.length > 0) {
    // What is too old to count must not stand in the way of a new row either.
    await tx.run(`delete from idempotency where created_at < ? and ${inList(tx, 'id')}`, [
      deps.clock.now() - idempotencyTtlMs,
      JSON.stringify(repeatable),
    ])
  }
  const remembered =
    repeatable.length === 0
      ? []
      : await tx.all<{ id: string; body_hash: string; task_id: string }>(
          `select id, body_hash, task_id from idempotency where ${inList(tx, 'id')}`,
          [JSON.stringify(repeatable)],
        )
  const calledBack = [...new Set(entries.flatMap((entry) => (entry.callBackUrl ? [entry.accountId] : [])))]
  const callbacksFull = calledBack.length > 0 ? await deps.callbacksFull?.(tx, calledBack) : undefined
  return {
    ...(callbacksFull ? { callbacksFull } : {}),
    accounts: new Map(
      accounts.map((row) => [
        row.id,
        { balance: row.balance, openTasks: row.open_tasks, virtualFinish: row.virtual_finish },
      ]),
    ),
    keys: new Map(keys.map((row) => [row.id, { creditLimit: row.credit_limit, creditUsed: row.credit_used }])),
    remembered: new Map(remembered.map((row) => [row.id, { bodyHash: row.body_hash, taskId: row.task_id }])),
    virtualNow: await virtualNow(tx),
    openTasksMax: deps.openTasksMax,
    featureEnabled: deps.featureEnabled,
  }
}

/**
 * Virtual time is where the first waiting task began; with nobody waiting, where the last admitted one ends. Read from
 * the tasks themselves, so that nothing has to be kept in step with them.
 */
async function virtualNow(tx: Tx): Promise<number> {
  const head = await tx.one<{ virtual_start: number }>(
    `select virtual_start from tasks where state in ('wait', 'queueing') order by virtual_finish limit 1`,
  )
  if (head) return head.virtual_start
  const last = await tx.one<{ virtual_finish: number | null }>(
    'select max(virtual_finish) as virtual_finish from accounts',
  )
  return last?.virtual_finish ?? 0
}

async function storeStandings(tx: Tx, state: AdmissionState, accepted: Entry[]): Promise<void> {
  for (const id of [...new Set(accepted.map((entry) => entry.accountId))].sort()) {
    const { balance, openTasks, virtualFinish } = state.accounts.get(id)!
    await tx.run('update accounts set balance = ?, open_tasks = ?, virtual_finish = ? where id = ?', [
      balance,
      openTasks,
      virtualFinish,
      id,
    ])
  }
  for (const id of [...new Set(accepted.map((entry) => entry.keyId))].sort()) {
    await tx.run('update keys set credit_used = ? where id = ?', [state.keys.get(id)!.creditUsed, id])
  }
}

function toEntry(submission: Submission, nowMs: number): Entry {
  const { idempotency } = submission
  return {
    ...submission,
    taskId: newId(nowMs),
    createdAt: nowMs,
    idempotency: idempotency && {
      ...idempotency,
      id: idempotencyId(submission.keyId, idempotency),
    },
  }
}

/** What a client's own idempotency key is remembered under. */
export function idempotencyId(keyId: string, { route, key }: { route: string; key: string }): string {
  return sha256Hex(`${keyId}\n${route}\n${key}`)
}

function taskRow(entry: Entry, decision: Decision & { kind: 'accepted' }): Record<string, Param> {
  return {
    id: entry.taskId,
    account_id: entry.accountId,
    key_id: entry.keyId,
    parent_id: entry.parentId,
    model: entry.model,
    engine: entry.engine,
    state: 'wait',
    param: entry.param,
    video_order: entry.videoOrder,
    ignored_fields: JSON.stringify(entry.ignoredFields),
    call_back_url: entry.callBackUrl,
    via: entry.via ?? 'task',
    price: entry.price,
    virtual_start: decision.virtualStart,
    virtual_finish: decision.virtualFinish,
    progress: 0,
    attempt: 0,
    created_at: entry.createdAt,
    updated_at: entry.createdAt,
    state_at: entry.createdAt,
  }
}

function idempotencyRow({ idempotency, taskId, createdAt }: Entry): Record<string, Param> {
  return { id: idempotency!.id, body_hash: idempotency!.bodyHash, task_id: taskId, created_at: createdAt }
}

function answerOf(decision: Decision, entry: Entry): string | ApiError {
  if (decision.kind === 'refused') return decision.error
  return decision.kind === 'replayed' ? decision.taskId : entry.taskId
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
