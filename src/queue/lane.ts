// One queue's running jobs in this process: claims while slots are free, hands each job to its handler, and reports
// how it ended. Knows nothing of the table behind it.
import type { Job, JobHandler } from './queue.ts'

export interface LaneOptions {
  slots: number
  groupSlots: number
  /**
   * Claims up to `limit` jobs, none of the groups in `full`; `nextMs` says when to look again if none was found (null:
   * when woken).
   */
  claim(limit: number, full: string[]): Promise<{ jobs: Job[]; nextMs: number | null }>
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
  let claimed: Promise<void> = Promise.resolve()
  let wokenWhileClaiming = false
  let timer: NodeJS.Timeout | undefined

  function fill() {
    if (claiming) wokenWhileClaiming = true
    else claimed = claimAll()
  }

  async function claimAll() {
    claiming = true
    try {
      do {
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

  /** How many jobs fit at once such that no group can exceed its share, and which groups have theirs. */
  function room(): { limit: number; full: string[] } {
    const held = new Map<string, number>()
    for (const { job } of running.values()) held.set(job.group, (held.get(job.group) ?? 0) + 1)
    const full = [...held].filter(([, count]) => count >= options.groupSlots).map(([group]) => group)
    const mostOfOthers = Math.max(0, ...[...held.values()].filter((count) => count < options.groupSlots))
    return { limit: Math.min(options.slots - running.size, options.groupSlots - mostOfOthers), full }
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
      const ended = () => Promise.all([...running.values()].map(({ done }) => done))
      const grace = setTimeout(() => abortAll('stopping'), graceMs)
      // A claim under way may still bring jobs; they are given back before the database is closed.
      await claimed
      await ended()
      clearTimeout(grace)
    },
  }
}
