// The queue as a `jobs` table in our own database. Lanes are woken in-process after the commit that enqueued a job. A job
// belongs to a worker and a claim: the worker's heartbeat keeps all its jobs, and `claim` fences them. Which jobs are
// claimed is in claim.ts, the bookkeeping of running jobs in lane.ts.
import { anyOf, type Db, forUpdate, lockRows, type Tx } from '../db/db.ts'
import type { Clock } from '../platform/clock.ts'
import { newToken } from '../platform/ids.ts'
import type { Logger } from '../platform/logger.ts'
import { createClaim, pollMs } from './claim.ts'
import { endOf, queueDepths, waitingQueues } from './depths.ts'
import {
  completeJobs,
  type Held,
  insertJobs,
  lockClaimed,
  putBack,
  type Release,
  replaceJobs,
  takeBack,
} from './jobs.ts'
import { createLane, type Lane } from './lane.ts'
import type { Job, LaneHealth, LostHook, NewJob, Queue } from './queue.ts'
import { forgetWorker, lockLostWorkers, someAreLost, type WorkerAbout, writeHeartbeat } from './workers.ts'

interface SqlQueueOptions {
  db: Db
  clock: Clock
  log: Logger
  /**
   * What this process is. Null for a command, which only sends and reads jobs: it takes no jobs of crashed workers back,
   * since it has none of the hooks that put their tasks in order (`onLost`).
   */
  about: WorkerAbout | null
  /** A worker without a heartbeat for this long loses its jobs. */
  leaseMs?: number
  /** From 0 to 1. */
  random?: (() => number) | undefined
  /** Whether an operator has paused a queue: none of its jobs is claimed. */
  isPaused?(queue: string): boolean
}

/** The jobs of a killed worker are taken back 10 to 17 s later: its last heartbeat was at most 5 s before. */
const defaultLeaseMs = 15_000
const lookForLostEveryMs = 2000

export interface SqlQueue extends Queue {
  /** Takes back every claimed job. For a start when no other worker can be alive. */
  recover(): Promise<number>
  /** Reports what this process works on, aborts the jobs that it has lost, and takes back those of lost workers. */
  beat(): Promise<void>
}

export function createSqlQueue({
  db,
  clock,
  log,
  about,
  leaseMs = defaultLeaseMs,
  random = Math.random,
  isPaused = () => false,
}: SqlQueueOptions): SqlQueue {
  /** This process, from its start to its end: a name could be another process's later. */
  const worker = newToken()
  const lanes = new Map<string, { lane: Lane; health: (() => LaneHealth) | undefined }>()
  const lostHooks = new Map<string, LostHook>()
  const claim = createClaim({ db, clock, worker })
  /** Since when the claims that are ours and do not run have been found, on the timer of this process. */
  let unknownSince = new Map<string, number>()
  let aliveUntil = Number.NEGATIVE_INFINITY
  /** On the timer of this process. */
  let lastBeatMs = performance.now()
  let sparesOthersUntilMs = 0
  const wakeAll = () => {
    for (const { lane } of lanes.values()) lane.wake()
  }
  const stopListening = db.onChange((topic, subjects) => {
    if (topic === 'jobs' && subjects) for (const queue of subjects) lanes.get(queue)?.lane.wake()
    else if (topic === 'jobs' || topic === null) wakeAll()
    if (topic === 'removed') abortRemoved(subjects ?? [])
    // Notifications were missed: one of our jobs may have been deleted.
    if (topic === null && about) beatSafely()
  })
  const poll = setInterval(wakeAll, pollMs)
  const beats = about ? [setInterval(beatSafely, leaseMs / 3), setInterval(lookForLost, lookForLostEveryMs)] : []
  for (const timer of [poll, ...beats]) timer.unref()

  const runningJobs = () => [...lanes.values()].flatMap(({ lane }) => lane.running())

  function abortRemoved(subjects: readonly string[]) {
    for (const { job, lost } of runningJobs()) if (subjects.includes(job.subject)) lost()
  }

  /** Does not wait for the one before: on a connection that went silent, that one may take longer than the lease lasts. */
  function beatSafely() {
    beat().catch((error) => log.error({ err: error }, 'heartbeat failed'))
  }

  function lookForLost() {
    someAreLost(db, clock.now()).then(
      // Runs a whole heartbeat, so that a worker that was held up extends its own lease first.
      (areLost) => areLost && beatSafely(),
      // The heartbeat reports an unreachable database.
      () => {},
    )
  }

  /** Reports our work, aborts the jobs that we have lost, and takes back those of lost workers. */
  async function beat() {
    const nowMs = clock.now()
    const loads = [...lanes].map(([queue, { lane, health }]) => {
      return { queue, slots: lane.slots, running: lane.slotsUsed, health: health?.() }
    })
    const { lost, unknown } = await db.transaction(
      async (tx) => {
        if (about && loads.length > 0) await writeHeartbeat(tx, { id: worker, about, lanes: loads, nowMs, leaseMs })
        const lost = sparesOthers() ? 0 : await takeBackFrom(tx, { workers: await lockLostWorkers(tx, nowMs) })
        return { lost, unknown: await compareHeld(tx) }
      },
      { durable: false },
    )
    aliveUntil = Math.max(aliveUntil, nowMs + leaseMs)
    lastBeatMs = performance.now()
    if (lost > 0) log.warn({ jobs: lost }, 'took back jobs whose worker sent no heartbeat')
    if (unknown > 0) log.warn({ jobs: unknown }, 'gave up jobs whose claim got no response')
  }

  /**
   * Aborts running jobs that are not ours any more, and gives up those that are ours and do not run: the response to their
   * claim was lost. It may only be late, so they are given up after half a lease.
   */
  async function compareHeld(tx: Tx): Promise<number> {
    if (lanes.size === 0) return 0
    const before = runningJobs()
    const rows = await tx.all<Held>('select subject, claim from jobs where worker = ?', [worker])
    const held = new Set(rows.map(keyOf))
    for (const { job, lost } of before) if (!held.has(keyOf(job))) lost()
    const running = new Set(runningJobs().map(({ job }) => keyOf(job)))
    const unknown = rows.filter((row) => !running.has(keyOf(row)))
    const nowMs = performance.now()
    unknownSince = new Map(unknown.map((row) => [keyOf(row), unknownSince.get(keyOf(row)) ?? nowMs]))
    const claims = unknown.filter((row) => unknownSince.get(keyOf(row))! <= nowMs - leaseMs / 2)
    return takeBackFrom(tx, { claims })
  }

  /** After an outage of the database, all heartbeats are too old: the other workers get the time to send one too. */
  function sparesOthers(): boolean {
    const nowMs = performance.now()
    if (nowMs - lastBeatMs > leaseMs) sparesOthersUntilMs = nowMs + leaseMs
    return nowMs < sparesOthersUntilMs
  }

  /** A worker that is held up may soon be taken for lost: it claims nothing before its next heartbeat. */
  async function beatIfLate() {
    if (clock.now() >= aliveUntil - leaseMs / 2) await beat()
  }

  async function takeBackFrom(tx: Tx, held: Parameters<typeof takeBack>[1]): Promise<number> {
    const freed = await takeBack(tx, held, { nowMs: clock.now(), random })
    for (const [queue, onLost] of lostHooks) {
      const subjects = freed.filter((job) => job.queue === queue).map((job) => job.subject)
      if (subjects.length > 0) await onLost(tx, subjects)
    }
    if (freed.length > 0) await tx.announce('jobs')
    return freed.length
  }

  const release = (job: Job, delayMs: number, counts: Omit<Release, 'delayMs' | 'nowMs'> = {}) =>
    db.transaction((tx) => putBack(tx, job, { nowMs: clock.now(), delayMs, ...counts }))

  return {
    async enqueue(tx, jobs) {
      await insertJobs(tx, jobs, clock.now())
      await announceJobs(tx, jobs)
    },

    async replace(tx, jobs) {
      await replaceJobs(tx, jobs, clock.now())
      await announceJobs(
        tx,
        jobs.map(({ by }) => by),
      )
    },

    complete: completeJobs,

    lockClaimed,

    lock: (tx, subjects) => lockRows(tx, 'jobs', subjects, 'subject'),

    async makeDue(tx, subjects) {
      const nowMs = clock.now()
      await tx.run(`update jobs set run_at = ? where ${anyOf(tx, 'subject')} and run_at > ? and worker is null`, [
        nowMs,
        JSON.stringify(subjects),
        nowMs,
      ])
      await tx.announce('jobs')
    },

    async makeDelayedDue(queue, limit) {
      const nowMs = clock.now()
      const due = await db.run(
        `update jobs set run_at = ? where subject in (select subject from jobs
           where queue = ? and worker is null and run_at > created_at and run_at > ?
           order by run_at limit ? ${forUpdate(db, 'skip locked')})`,
        [nowMs, queue, nowMs, limit],
      )
      if (due > 0) await db.announce('jobs', queue)
      return due
    },

    async remove(tx, subjects) {
      if (subjects.length === 0) return
      await tx.run(`delete from jobs where ${anyOf(tx, 'subject')}`, [JSON.stringify(subjects)])
      for (const subject of subjects) await tx.announce('removed', subject)
    },

    async unserved({ prefix, served, dueBeforeMs, limit }) {
      const subjects: string[] = []
      for (const queue of await waitingQueues(db, prefix)) {
        if (served.includes(queue)) continue
        const rows = await db.all<{ subject: string }>(
          'select subject from jobs where queue = ? and worker is null and run_at <= ? limit ?',
          [queue, dueBeforeMs, limit - subjects.length],
        )
        subjects.push(...rows.map(({ subject }) => subject))
      }
      return subjects
    },

    async oldest({ prefix, after, before, limit }) {
      const rows = await db.all<Pick<Job, 'subject'>>(
        `select subject from jobs where subject > ? and subject < ? and queue >= ? and queue < ?
         order by subject limit ?`,
        [after, before, prefix, endOf(prefix), limit],
      )
      return rows.map(({ subject }) => subject)
    },

    async countAhead(queue, { order, subject }, max) {
      const row = await db.one<{ ahead: number }>(
        `select count(*) as ahead from (select 1 from jobs where queue = ? and worker is null
         and (serving_order, subject) < (?, ?) limit ?) as those_ahead`,
        [queue, order, subject, max],
      )
      return row!.ahead
    },

    work(queue, options, handler) {
      if (lanes.has(queue)) throw new Error(`the queue ${queue} has a handler already`)
      const lane = createLane({
        slots: options.slots,
        groupSlots: options.groupSlots ?? options.slots,
        ownerSlots: options.ownerSlots ?? options.slots,
        claim: async (limits) => {
          await beatIfLate()
          return claim(queue, limits, options.onClaim)
        },
        handler,
        pauseMs: async () => (isPaused(queue) ? pollMs : ((await options.pauseMs?.()) ?? 0)),
        onDone: async (job) => {
          await db.transaction((tx) => completeJobs(tx, [job]))
        },
        onFailed: async (job, error) => {
          log.error(
            { err: error, queue, subject: job.subject, failures: job.failures + 1 },
            'a job failed; it will be retried',
          )
          await release(job, options.retryDelayMs, { failures: 1 })
        },
        onPutBack: (job, { againInMs, isAttempt, order }) =>
          release(job, againInMs, isAttempt ? { order } : { claims: -1, keepsCrashes: true, order }),
        onStopped: (job) => release(job, 0),
        onError: (error) => log.error({ err: error, queue }, 'the queue could not be read; it will be retried'),
      })
      lanes.set(queue, { lane, health: options.health })
      lane.wake()
    },

    onLost: (queue, hook) => void lostHooks.set(queue, hook),

    depths: () => queueDepths(db, clock.now()),

    beat,

    recover: () =>
      db.transaction(async (tx) => {
        const workers = await tx.all<{ worker: string }>('select distinct worker from jobs where worker is not null')
        await tx.run('delete from workers')
        return takeBackFrom(tx, { workers: workers.map((each) => each.worker) })
      }),

    async stop(graceMs) {
      stopListening()
      clearInterval(poll)
      await Promise.all([...lanes.values()].map(({ lane }) => lane.stop(graceMs)))
      for (const timer of beats) clearInterval(timer)
      if (lanes.size > 0)
        await forgetWorker(db, worker).catch((error) => log.warn({ err: error }, 'a stopped worker stays listed'))
    },
  }
}

const keyOf = ({ subject, claim }: Held) => `${subject} ${claim}`

async function announceJobs(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  for (const queue of new Set(jobs.map((job) => job.queue))) await tx.announce('jobs', queue)
}
