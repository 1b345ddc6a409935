// The queue as a `jobs` table in our own database. Workers are woken in-process after the commit that enqueued a job.
// Leases are kept alive by a heartbeat and fenced by `claim`. Which jobs are claimed is in queue/claim.ts, the bookkeeping
// of running jobs in queue/lane.ts.
import { anyOf, type Db, forUpdate, lockRows, type Tx } from '../db/db.ts'
import { updateEach } from '../db/update-each.ts'
import type { Clock } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import { createClaim, pollMs } from './claim.ts'
import { delayAfterCrashesMs } from './crashes.ts'
import { endOf, queueDepths, waitingQueues } from './depths.ts'
import { completeAll, extendLeases, insertJobs, lockHeld, replaceJobs } from './job-rows.ts'
import { createLane, type Lane } from './lane.ts'
import type { Job, LostHook, NewJob, Queue } from './queue.ts'
import type { LaneLoad } from './workers.ts'

interface SqlQueueOptions {
  db: Db
  clock: Clock
  log: Logger
  /** A worker without a heartbeat for this long loses its jobs. */
  leaseMs?: number
  /** From 0 to 1. */
  random?: (() => number) | undefined
  /** Whether an operator has paused a queue: none of its jobs is claimed. */
  isPaused?(queue: string): boolean
  /**
   * Takes back the jobs of crashed workers; true by default. A command only sends and reads jobs: it has none of the hooks
   * that put the tasks of such jobs in order (`onLost`).
   */
  takesBack?: boolean
}

/** The jobs of a killed worker are taken back 10 to 17 s later: its last heartbeat was at most 5 s before. */
const defaultLeaseMs = 15_000
const lookForLostEveryMs = 2000

export interface SqlQueue extends Queue {
  /** Takes back every leased job. For a start when no other worker can be alive. */
  recover(): Promise<number>
  /** The queues that this process serves, and how busy it is with each. */
  loads(): LaneLoad[]
}

export function createSqlQueue({
  db,
  clock,
  log,
  leaseMs = defaultLeaseMs,
  random = Math.random,
  isPaused = () => false,
  takesBack = true,
}: SqlQueueOptions): SqlQueue {
  const lanes = new Map<string, Lane>()
  const lostHooks = new Map<string, LostHook>()
  const claim = createClaim({ db, clock, leaseMs })
  const wakeAll = () => {
    for (const lane of lanes.values()) lane.wake()
  }
  const stopListening = db.onChange((topic, subjects) => {
    if (topic === 'jobs' && subjects) for (const queue of subjects) lanes.get(queue)?.wake()
    else if (topic === 'jobs' || topic === null) wakeAll()
    if (topic === 'removed') abortRemoved(subjects ?? [])
    // Notifications were missed: one of our jobs may have been deleted.
    if (topic === null && takesBack) beatSafely()
  })
  const poll = setInterval(wakeAll, pollMs)
  const beats = takesBack ? [setInterval(beatSafely, leaseMs / 3), setInterval(lookForLost, lookForLostEveryMs)] : []
  for (const timer of [poll, ...beats]) timer.unref()

  const runningJobs = () => [...lanes.values()].flatMap((lane) => lane.running())

  function abortRemoved(subjects: readonly string[]) {
    for (const { job, lost } of runningJobs()) if (subjects.includes(job.subject)) lost()
  }

  /** Does not wait for the one before: on a connection that went silent, that one may take longer than the leases last. */
  function beatSafely() {
    beat().catch((error) => log.error({ err: error }, 'heartbeat failed'))
  }

  function lookForLost() {
    db.one('select subject from jobs where lease_until < ? order by lease_until limit 1', [clock.now()]).then(
      // Runs a whole heartbeat, so that a worker that was held up extends its own leases first.
      (lost) => lost && beatSafely(),
      // The heartbeat reports an unreachable database.
      () => {},
    )
  }

  /** Extends our leases, aborts the jobs we have lost, and takes back the jobs that other workers have lost. */
  async function beat() {
    const nowMs = clock.now()
    const held = runningJobs()
    await db.transaction(async (tx) => {
      const kept = await extendLeases(
        tx,
        held.map(({ job }) => job),
        nowMs + leaseMs,
      )
      for (const { job, lost } of held) if (!kept.has(job)) lost()
      const freed = await takeBack(tx, nowMs)
      if (freed > 0) log.warn({ jobs: freed }, 'took back jobs whose worker sent no heartbeat')
    })
  }

  /**
   * Takes back jobs whose lease ended before `beforeMs`, because their worker crashed or hung. Locked jobs are left for
   * the next time: a worker that hangs in a transaction must not delay the heartbeat of all others.
   */
  async function takeBack(tx: Tx, beforeMs: number): Promise<number> {
    const freed = await tx.all<Pick<Job, 'queue' | 'subject' | 'crashes'>>(
      `update jobs set lease_until = null, crashes = crashes + 1 where subject in (
         select subject from jobs where lease_until < ? order by subject ${forUpdate(tx, 'skip locked')})
       returning queue, subject, crashes`,
      [beforeMs],
    )
    await setApart(tx, freed)
    for (const [queue, onLost] of lostHooks) {
      const subjects = freed.filter((job) => job.queue === queue).map((job) => job.subject)
      if (subjects.length > 0) await onLost(tx, subjects)
    }
    if (freed.length > 0) await tx.announce('jobs')
    return freed.length
  }

  /** Jobs that crashed together more than once do not start together again. */
  async function setApart(tx: Tx, crashed: readonly Pick<Job, 'subject' | 'crashes'>[]): Promise<void> {
    const delayed = crashed
      .map(({ subject, crashes }) => ({ subject, delayMs: delayAfterCrashesMs(crashes, random()) }))
      .filter(({ delayMs }) => delayMs > 0)
    const nowMs = clock.now()
    await updateEach(
      tx,
      {
        table: 'jobs',
        by: 'subject',
        columns: { run_at: 'bigint' },
        set: (own) => `run_at = ${own.run_at}`,
        areLocked: true,
      },
      delayed.map(({ subject, delayMs }) => ({ id: subject, run_at: nowMs + delayMs })),
    )
  }

  /** `counts`: what is added to the job's claims and failures, and whether its crashes are still in a row. */
  async function putBack(
    job: Job,
    delayMs: number,
    counts: { claims?: number; failures?: number; crashes?: 'kept'; order?: number | undefined },
  ) {
    await db.transaction(async (tx) => {
      await tx.run(
        `update jobs set lease_until = null, run_at = ?, attempt = attempt + ?, failures = failures + ?,
           crashes = case when ? = 1 then crashes else 0 end, serving_order = coalesce(?, serving_order)
         where subject = ? and claim = ? and lease_until is not null`,
        [
          clock.now() + delayMs,
          counts.claims ?? 0,
          counts.failures ?? 0,
          counts.crashes === 'kept' ? 1 : 0,
          counts.order ?? null,
          job.subject,
          job.claim,
        ],
      )
    })
  }

  return {
    async enqueue(tx, jobs) {
      await insertJobs(tx, jobs, clock.now())
      await announceJobs(tx, jobs)
    },

    async replaceAll(tx, jobs) {
      await replaceJobs(tx, jobs, clock.now())
      await announceJobs(
        tx,
        jobs.map(({ by }) => by),
      )
    },

    complete: async (tx, job) => (await completeAll(tx, [job])).size > 0,

    completeAll,

    holds: async (tx, job) => (await lockHeld(tx, [job])).size > 0,

    holdsAll: lockHeld,

    lock: (tx, subjects) => lockRows(tx, 'jobs', subjects, 'subject'),

    async release(tx, subjects) {
      const nowMs = clock.now()
      await tx.run(`update jobs set run_at = ? where ${anyOf(tx, 'subject')} and run_at > ? and lease_until is null`, [
        nowMs,
        JSON.stringify(subjects),
        nowMs,
      ])
      await tx.announce('jobs')
    },

    async releaseDelayed(queue, limit) {
      const nowMs = clock.now()
      const released = await db.run(
        `update jobs set run_at = ? where subject in (select subject from jobs
           where queue = ? and lease_until is null and run_at > created_at and run_at > ?
           order by run_at limit ? ${forUpdate(db, 'skip locked')})`,
        [nowMs, queue, nowMs, limit],
      )
      if (released > 0) await db.announce('jobs', queue)
      return released
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
          'select subject from jobs where queue = ? and lease_until is null and run_at <= ? limit ?',
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
        `select count(*) as ahead from (select 1 from jobs where queue = ? and lease_until is null
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
        claim: (room) => claim(queue, room, options.onClaim),
        handler,
        pauseMs: async () => (isPaused(queue) ? pollMs : ((await options.pauseMs?.()) ?? 0)),
        onDone: async (job) => {
          await db.transaction((tx) => this.complete(tx, job))
        },
        onFailed: async (job, error) => {
          log.error(
            { err: error, queue, subject: job.subject, failures: job.failures + 1 },
            'a job failed; it will be retried',
          )
          await putBack(job, options.retryDelayMs, { failures: 1 })
        },
        onPutBack: (job, { againInMs, isAttempt, order }) =>
          putBack(job, againInMs, isAttempt ? { order } : { claims: -1, crashes: 'kept', order }),
        onStopped: (job) => putBack(job, 0, {}),
        onError: (error) => log.error({ err: error, queue }, 'the queue could not be read; it will be retried'),
      })
      lanes.set(queue, lane)
      lane.wake()
    },

    onLost: (queue, hook) => void lostHooks.set(queue, hook),

    depths: () => queueDepths(db, clock.now()),

    loads: () => [...lanes].map(([queue, lane]) => ({ queue, slots: lane.slots, running: lane.slotsUsed })),

    recover: () => db.transaction((tx) => takeBack(tx, Number.MAX_SAFE_INTEGER)),

    async stop(graceMs) {
      stopListening()
      clearInterval(poll)
      await Promise.all([...lanes.values()].map((lane) => lane.stop(graceMs)))
      for (const timer of beats) clearInterval(timer)
    },
  }
}

async function announceJobs(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  for (const queue of new Set(jobs.map((job) => job.queue))) await tx.announce('jobs', queue)
}
