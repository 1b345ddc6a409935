// What must hold after a run of faults, read from the database, from the audit beside it, and from what the receiver
// got.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { checkLedger } from '../../src/account-data/check-ledger.ts'
import type { Sql } from '../../src/db/db.ts'
import { fileTokensOf, type TaskRow, videoOf } from '../../src/tasks/store/task-row.ts'
import { readTimeline } from '../../src/tasks/store/timeline.ts'
import type { Receiver } from '../support/network/receiver.ts'
import { type AcceptedTask, endedAsAsked } from './asked-ends.ts'
import { auditedMoves, type Rerun, rerunsAfter, staleWrites } from './audit.ts'
import type { FaultCluster } from './cluster-processes.ts'
import type { Call } from './load.ts'

/** Waits until nothing is left to do. However much it is, some of it must be done within `stepWithinMs`. */
export async function untilAllEnded(sql: Sql, stepWithinMs: number): Promise<void> {
  let deadline = performance.now() + stepWithinMs
  let leftBefore = Number.POSITIVE_INFINITY
  for (;;) {
    const open = await sql.all(`select id, state from tasks where state not in ('success', 'fail')`)
    const jobs = await sql.all('select queue, subject, attempt, failures from jobs')
    const pending = await sql.all(`select id, attempts from deliveries where state = 'pending'`)
    // Before its end, a task becomes a delivery.
    const left = 2 * open.length + pending.length + jobs.length
    if (left === 0) return
    if (left < leftBefore) deadline = performance.now() + stepWithinMs
    leftBefore = Math.min(left, leftBefore)
    const some = [open, jobs, pending].map((rows) => rows.slice(0, 5))
    assert.ok(performance.now() < deadline, `not at rest: ${left} left: ${JSON.stringify(some)}`)
    await sleep(200)
  }
}

export interface Evidence {
  /** By the name in their callback's URL. */
  accepted: Map<string, AcceptedTask>
  /** What was asked of the servers. */
  calls: Call[]
  receiver: Pick<Receiver, 'received'>
  cluster: Pick<FaultCluster, 'kills' | 'outages' | 'storageOutages' | 'killedRenders' | 'figures'>
  /** Whether the bytes of a stored file are there. */
  isStored(storageKey: string): Promise<boolean>
}

export interface Verdict {
  tasks: number
  succeeded: number
  /** As they were asked to, because of their input or the engine's work, or canceled. */
  failed: Record<string, number>
  /** Each with its timeline. All else is judged too, because a run that lost or doubled something has no verdict. */
  failedWrongly: string[]
  /** While storage was away; the slowest response included. */
  withoutStorage: { created: number; read: number; slowestMs: number }
  callbacks: number
  /** Jobs that killed processes held, and the story of the one that lay longest. */
  takenOver: number
  slowestTakeOver: string[]
}

export async function judge(sql: Sql, { accepted, calls, receiver, cluster, isStored }: Evidence): Promise<Verdict> {
  const tasks = await sql.all<TaskRow>('select * from tasks')
  assert.deepEqual(
    tasks.map(({ id }) => id).sort(),
    [...accepted.values()].map(({ taskId }) => taskId).sort(),
    'every accepted task exists, and no other',
  )
  await judgeLedger(sql, tasks)
  await judgeTimelines(sql, tasks, cluster.killedRenders)
  assert.deepEqual(await staleWrites(sql), [], 'stale writes after a lost lease')
  const withoutStorage = judgeCalls(calls, cluster)
  judgeCallbacks(accepted, receiver)
  await judgeFiles(sql, isStored)
  const takeOvers = await judgeTakeOvers(sql, cluster)
  return {
    tasks: tasks.length,
    succeeded: tasks.filter((task) => task.state === 'success').length,
    failed: countBy(tasks.flatMap((task) => task.fail_reason ?? [])),
    failedWrongly: await endedWrongly(sql, tasks, accepted),
    withoutStorage,
    callbacks: receiver.received.length,
    takenOver: takeOvers.length,
    slowestTakeOver: takeOvers.toSorted((a, b) => b.afterMs - a.afterMs)[0]?.story ?? [],
  }
}

async function judgeLedger(sql: Sql, tasks: TaskRow[]): Promise<void> {
  assert.deepEqual((await checkLedger(sql)).problems, [], 'the ledger is exact')
  const entries = await sql.all<{ subject: string; kind: string }>(
    'select subject, kind from ledger where subject is not null',
  )
  const kinds = Map.groupBy(entries, (entry) => entry.subject)
  for (const task of tasks) {
    const expected = ['hold', task.state === 'success' ? 'settle' : 'release'].sort()
    const found = (kinds.get(task.id) ?? []).map((entry) => entry.kind).sort()
    assert.deepEqual(found, expected, `what ${task.id} (${task.state}) was charged`)
  }
}

async function judgeTimelines(sql: Sql, tasks: TaskRow[], killed: FaultCluster['killedRenders']): Promise<void> {
  const audited = Map.groupBy(await auditedMoves(sql), (move) => move.task_id)
  for (const task of tasks) {
    const moves = audited.get(task.id) ?? []
    const states = moves.map(({ state }) => state)
    const ends = states.filter((state) => state === 'success' || state === 'fail')
    assert.deepEqual(ends, [task.state], `${task.id} ended other than once: ${states.join()}`)
    assert.equal(states.at(-1), task.state, `${task.id} moved on after its end: ${states.join()}`)
    // A task waits before its first move; the timeline also shows each retry of its input files there.
    const timeline = (await readTimeline(sql, task)).filter(({ state }) => state !== 'wait')
    const shown = timeline.map(({ state, attempt }) => `${state} ${attempt}`)
    const happened = moves.map(({ state, attempt }) => `${state} ${attempt}`)
    assert.deepEqual(shown, happened, `the timeline of ${task.id}`)
    for (const { attempt } of killed.filter(({ taskId }) => taskId === task.id)) {
      const madeIt = moves.some((move) => move.state === 'success' && move.attempt === attempt)
      assert.ok(!madeIt, `${task.id} succeeded in the attempt whose render was killed`)
    }
  }
}

/** The tasks that ended otherwise than they were asked to. */
async function endedWrongly(sql: Sql, tasks: TaskRow[], accepted: Evidence['accepted']): Promise<string[]> {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const wrong: string[] = []
  for (const [name, { taskId, ends }] of accepted) {
    const task = byId.get(taskId)!
    if (endedAsAsked(task, ends)) continue
    const { id, state, fail_reason: failReason, fail_msg: failMsg } = task
    const moves = (await readTimeline(sql, task)).map(
      (move) => `${move.at - task.created_at} ms: ${move.state} ${move.attempt} ${move.note ?? ''}`,
    )
    wrong.push(inspect({ name, ends, id, state, failReason, failMsg, createdAt: task.created_at, timeline: moves }))
  }
  return wrong
}

/** While only storage is away, servers accept tasks and show records as always. */
function judgeCalls(calls: Call[], { storageOutages, figures }: Evidence['cluster']): Verdict['withoutStorage'] {
  const during = calls.filter((call) =>
    storageOutages.some((away) => away.fromMs <= call.sentAtMs && call.sentAtMs < away.toMs),
  )
  const refused = during.filter(({ refusal }) => refusal !== null)
  assert.deepEqual(refused, [], `${refused.length} of ${during.length} calls were refused while storage was away`)
  for (const { what, tookMs } of during) figures.took('respond while storage is away', tookMs, `to ${what}`)
  const { create: created = 0, read = 0 } = countBy(during.map(({ what }) => what))
  return { created, read, slowestMs: Math.max(0, ...during.map(({ tookMs }) => tookMs)) }
}

function countBy(items: string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(items, (item) => item)].map(([item, all]) => [item, all.length]))
}

function judgeCallbacks(accepted: Evidence['accepted'], receiver: Evidence['receiver']): void {
  const byPath = Map.groupBy(receiver.received, ({ path }) => path)
  for (const [name, { taskId }] of accepted) {
    const callbacks = byPath.get(`/ok?${name}`) ?? []
    assert.ok(callbacks.length > 0, `${name} was never called back`)
    assert.equal(new Set(callbacks.map((each) => each.raw)).size, 1, `${name} was told different things`)
    assert.ok(callbacks[0]!.raw.includes(taskId), `${name} was told of another task`)
    for (const { headers, atMs } of callbacks) {
      const signedMs = Number(headers['webhook-timestamp']) * 1000
      assert.ok(Math.abs(signedMs - atMs) < 60_000, `${name} was signed with a clock that is off`)
    }
  }
}

async function judgeFiles(sql: Sql, isStored: Evidence['isStored']): Promise<void> {
  const files = await sql.all<{ task_id: string; storage_key: string }>(
    `select task_id, storage_key from files join tasks on tasks.id = task_id
     where state = 'success' and purpose <> 'input' and video like '%' || token || '%'`,
  )
  const succeeded = await sql.all<Pick<TaskRow, 'video'>>(`select video from tasks where state = 'success'`)
  const named = succeeded.flatMap((task) => fileTokensOf(videoOf(task)!))
  assert.ok(named.length >= 3 * succeeded.length, 'every video has at least itself, a thumbnail and its last frame')
  assert.equal(files.length, named.length, 'every video has its files')
  for (const { task_id, storage_key } of files) assert.ok(await isStored(storage_key), `a file of ${task_id} is gone`)
}

/** How long each job lay whose worker was killed, without the time in which PostgreSQL was away. */
async function judgeTakeOvers(sql: Sql, { kills, outages, figures }: Evidence['cluster']): Promise<Rerun[]> {
  const reruns = await rerunsAfter(sql, kills)
  for (const rerun of reruns) {
    const [fromMs, toMs] = [rerun.killedAtMs, rerun.killedAtMs + rerun.afterMs]
    const overlaps = outages.map((away) => Math.max(0, Math.min(toMs, away.toMs) - Math.max(fromMs, away.fromMs)))
    const waitedMs = rerun.afterMs - overlaps.reduce((sum, ms) => sum + ms, 0)
    figures.took('run again', waitedMs, JSON.stringify(rerun))
  }
  return reruns
}
