// One queue's running jobs in this process: claims while slots are free, hands each job to its handler, and reports
// how it ended. Knows nothing of the table behind it.
import type { Job, JobHandler } from './queue.ts'

/** What may be claimed at once. */
export interface Room {
  limit: number
  /** Of one group. */
  perGroup: number
  /** Groups and owners that have their share already. */
  full: { groups: string[]; owners: string[] }
}

/** More are claimed in the next turn: starting a job costs a millisecond, and others want to be served too. */
const claimMax = 64

export interface LaneOptions {
  slots: number
  groupSlots: number | { of(group: string): number; ofOthers: number }
  ownerSlots: number
  /** Claims some jobs; `nextMs` says when to look again if none was found (null: when woken). */
  claim(room: Room): Promise<{ jobs: Job[]; nextMs: number | null }>
  handler: JobHandler
  onDone(job: Job): Promise<void>
  onFailed(job: Job, error: unknown): Promise<void>
  /** The job was stopped in the middle by our own shutdown. */
  onStopped(job: Job): Promise<void>
  onError(error: unknown): void
}

export interface Lane {
  readonly slots: number
  wake(): void
  running(): { job: Job; lost(): void }[]
  stop(graceMs: number): Promise<void>
}

/**
 * A claim that came back short has emptied the queue: the next one waits this long after it, so that it finds several
 * jobs where many workers are woken for every one that is sent.
 */
const claimPauseMs = 10

/** Why a job's signal aborts. A lost job is somebody else's now: nothing may be written for it. */
type AbortReason = 'lost' | 'stopping'

export function createLane(options: LaneOptions): Lane {
  // By attempt: a job that was lost may come back here while its former handler is still ending.
  const running = new Map<Job, { job: Job; abort: AbortController; done: Promise<void> }>()
  let stopping = false
  let claiming = false
  let filling: Promise<void> = Promise.resolve()
  let wokenWhileClaiming = false
  let timer: NodeJS.Timeout | undefined
  let pause: NodeJS.Timeout | undefined
  let pauseUntilMs = 0

  function fill() {
    if (claiming) {
      wokenWhileClaiming = true
      return
    }
    const leftMs = pauseUntilMs - performance.now()
    if (leftMs <= 0) filling = claimWhileRoom()
    else pause ??= setTimeout(afterPause, leftMs).unref()
  }

  function afterPause() {
    pause = undefined
    fill()
  }

  async function claimWhileRoom() {
    claiming = true
    let isPaused = false
    try {
      do {
        // Jobs that end in the same turn make room together, and are followed by one claim instead of many.
        await new Promise((resolve) => setImmediate(resolve))
        wokenWhileClaiming = false
        const free = room()
        if (stopping || free.limit <= 0) break
        const { jobs, nextMs } = await options.claim(free)
        if (stopping) {
          for (const job of jobs) await options.onStopped(job)
          break
        }
        for (const job of jobs) start(job)
        if (jobs.length === 0 && nextMs !== null) lookAgainIn(nextMs)
        if (jobs.length > 0) wokenWhileClaiming = true
        if (jobs.length < free.limit) pauseUntilMs = performance.now() + claimPauseMs
        isPaused = performance.now() < pauseUntilMs
      } while (wokenWhileClaiming && !isPaused)
    } catch (error) {
      options.onError(error)
      lookAgainIn(1000)
    } finally {
      claiming = false
    }
    if (wokenWhileClaiming && isPaused) fill()
  }

  /** How much fits at once such that no group and no owner can exceed its share. */
  function room(): Room {
    const groups = share((job) => job.group, options.groupSlots)
    const owners = share((job) => job.owner, options.ownerSlots)
    return {
      limit: Math.min(claimMax, options.slots - running.size, owners.left),
      perGroup: groups.left,
      full: { groups: groups.full, owners: owners.full },
    }
  }

  function share(nameOf: (job: Job) => string, slots: LaneOptions['groupSlots']): { left: number; full: string[] } {
    const { of, ofOthers } = typeof slots === 'number' ? { of: () => slots, ofOthers: slots } : slots
    const held = new Map<string, number>()
    for (const { job } of running.values()) held.set(nameOf(job), (held.get(nameOf(job)) ?? 0) + 1)
    const full: string[] = []
    // Whoever is not running anything yet may get all that is claimed.
    let left = ofOthers
    for (const [name, count] of held) {
      if (count >= of(name)) full.push(name)
      else left = Math.min(left, of(name) - count)
    }
    return { left, full }
  }

  function lookAgainIn(ms: number) {
    clearTimeout(timer)
    if (stopping) return
    timer = setTimeout(fill, Math.min(ms, 60_000))
    timer.unref()
  }

  function start(job: Job) {
    const abort = new AbortController()
    const done = work(job, abort.signal)
      .catch(options.onError)
      .then(() => {
        running.delete(job)
        fill()
      })
    running.set(job, { job, abort, done })
  }

  async function work(job: Job, signal: AbortSignal) {
    let end: 'done' | 'settled'
    try {
      end = await options.handler(job, signal)
    } catch (error) {
      const reason: AbortReason | null = signal.aborted ? signal.reason : null
      if (reason === 'lost') return
      if (reason === 'stopping') return options.onStopped(job)
      return options.onFailed(job, error)
    }
    if (end === 'done') await options.onDone(job)
  }

  const abortAll = (reason: AbortReason) => {
    for (const { abort } of running.values()) abort.abort(reason)
  }

  return {
    slots: options.slots,
    wake: fill,
    running: () =>
      [...running.values()].map(({ job, abort }) => ({ job, lost: () => abort.abort('lost' satisfies AbortReason) })),
    async stop(graceMs) {
      stopping = true
      clearTimeout(timer)
      clearTimeout(pause)
      // A claim that is under way still brings jobs: they end or are given back like the others.
      await filling
      const grace = setTimeout(() => abortAll('stopping'), graceMs)
      await Promise.all([...running.values()].map(({ done }) => done))
      clearTimeout(grace)
    },
  }
}
