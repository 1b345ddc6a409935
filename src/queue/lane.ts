// One queue's running jobs in this process: claims while slots are free, hands each job to its handler, and reports
// how it ended. Knows nothing of the table behind it.
import type { Job, JobHandler } from './queue.ts'

export interface LaneOptions {
  slots: number
  groupSlots: number
  ownerSlots: number
  /**
   * Claims up to `limit` jobs, none of the groups and owners in `full`; `nextMs` says when to look again if none was found (null:
   * when woken).
   */
  claim(limit: number, full: { groups: string[]; owners: string[] }): Promise<{ jobs: Job[]; nextMs: number | null }>
  handler: JobHandler
  onDone(job: Job): Promise<void>
  onFailed(job: Job, error: unknown): Promise<void>
  /** The job was stopped in the middle by our own shutdown. */
  onStopped(job: Job): Promise<void>
  onError(error: unknown): void
}

export interface Lane {
  wake(): void
  running(): { job: Job; lost(): void }[]
  stop(graceMs: number): Promise<void>
}

/** Why a job's signal aborts. A lost job is somebody else's now: nothing may be written for it. */
type AbortReason = 'lost' | 'stopping'

export function createLane(options: LaneOptions): Lane {
  const running = new Map<string, { job: Job; abort: AbortController; done: Promise<void> }>()
  let stopping = false
  let claiming = false
  let filling: Promise<void> = Promise.resolve()
  let wokenWhileClaiming = false
  let timer: NodeJS.Timeout | undefined

  function fill() {
    if (claiming) wokenWhileClaiming = true
    else filling = claimWhileRoom()
  }

  async function claimWhileRoom() {
    claiming = true
    try {
      do {
        // Jobs that end in the same turn make room together, and are followed by one claim instead of many.
        await new Promise((resolve) => setImmediate(resolve))
        wokenWhileClaiming = false
        const { limit, full } = room()
        if (stopping || limit <= 0) break
        const { jobs, nextMs } = await options.claim(limit, full)
        if (stopping) {
          for (const job of jobs) await options.onStopped(job)
          break
        }
        for (const job of jobs) start(job)
        if (jobs.length === 0 && nextMs !== null) lookAgainIn(nextMs)
        if (jobs.length > 0) wokenWhileClaiming = true
      } while (wokenWhileClaiming)
    } catch (error) {
      options.onError(error)
      lookAgainIn(1000)
    } finally {
      claiming = false
    }
  }

  /** How many jobs fit at once such that no group and no owner can exceed its share, and which have theirs. */
  function room() {
    const groups = share((job) => job.group, options.groupSlots)
    const owners = share((job) => job.owner, options.ownerSlots)
    return {
      limit: Math.min(options.slots - running.size, groups.left, owners.left),
      full: { groups: groups.full, owners: owners.full },
    }
  }

  function share(nameOf: (job: Job) => string, slots: number): { left: number; full: string[] } {
    const held = new Map<string, number>()
    for (const { job } of running.values()) held.set(nameOf(job), (held.get(nameOf(job)) ?? 0) + 1)
    const full: string[] = []
    let mostOfOthers = 0
    for (const [name, count] of held) {
      if (count >= slots) full.push(name)
      else mostOfOthers = Math.max(mostOfOthers, count)
    }
    return { left: slots - mostOfOthers, full }
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
        running.delete(job.id)
        fill()
      })
    running.set(job.id, { job, abort, done })
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
    wake: fill,
    running: () =>
      [...running.values()].map(({ job, abort }) => ({ job, lost: () => abort.abort('lost' satisfies AbortReason) })),
    async stop(graceMs) {
      stopping = true
      clearTimeout(timer)
      // A claim that is under way still brings jobs: they end or are given back like the others.
      await filling
      const grace = setTimeout(() => abortAll('stopping'), graceMs)
      await Promise.all([...running.values()].map(({ done }) => done))
      clearTimeout(grace)
    },
  }
}
