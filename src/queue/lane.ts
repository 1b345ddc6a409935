// The running jobs of one queue in this process: claims jobs while slots are free, passes each to its handler, and
// reports its outcome. Does not know the table behind it.
import { retryPolicy, retryUntilWritable } from '../db/retry.ts'
import type { Job, JobEnd, JobHandler, PutBack } from './queue.ts'

/** The limits of one claim. */
export interface ClaimLimits {
  limit: number
  groups: SharesLeft
  owners: SharesLeft
}

/** What one claim may take of each group, or of each owner. */
export interface SharesLeft {
  /** How many jobs of each that is not named below. */
  ofOthers: number
  /** How many more each of these may get: those with running jobs, and those that had some since the last claim. */
  left: Record<string, number>
  /** Those that already use their full share. */
  full: string[]
}

/**
 * Further jobs are claimed in the next turn: starting a job takes a millisecond, and other work needs the event loop.
 */
const claimMax = 64

export interface Claimed {
  jobs: Job[]
  /** Claiming again at once would find nothing. */
  isDrained: boolean
  /** When to look again in a drained queue, if nothing wakes the lane before; null: only when woken. */
  nextMs: number | null
}

interface LaneOptions {
  slots: number
  groupSlots: number | { of(group: string): number; ofOthers: number }
  ownerSlots: number
  claim(limits: ClaimLimits): Promise<Claimed>
  handler: JobHandler
  /** See `WorkOptions`. */
  pauseMs?: (() => Promise<number>) | undefined
  onDone(job: Job): Promise<void>
  onPutBack(job: Job, end: PutBack): Promise<void>
  onFailed(job: Job, error: unknown): Promise<void>
  /** The job was interrupted because this process stops. */
  onStopped(job: Job): Promise<void>
  onError(error: unknown): void
}

export interface Lane {
  readonly slots: number
  readonly slotsUsed: number
  wake(): void
  running(): { job: Job; lost(): void }[]
  stop(graceMs: number): Promise<void>
}

/**
 * How long the next claim waits after one that has emptied the queue or nearly filled the lane, so that it finds several
 * jobs or slots: jobs are sent and end one by one, and a claim for each would cost as much as a short job. Two claims in a
 * row that take more than 3 ms indicate a busy database, which is then queried less often. A single one does not: now and
 * then a claim on a quiet database is slow too.
 */
const coolDownMs = (tookMs: number, lastTookMs: number) =>
  Math.max(5, Math.min(100, 16 * (Math.min(tookMs, lastTookMs) - 3)))

/** Why a job's signal aborts. A lost job is another claim's, or gone: nothing may be written for it. */
type AbortReason = 'lost' | 'stopping'

export function createLane(options: LaneOptions): Lane {
  // By claim: a lost job may be claimed here again while its former handler is still ending.
  const running = new Map<Job, { job: Job; abort: AbortController; done: Promise<void> }>()
  /** Running jobs that no longer need their slots. */
  const finishing = new Set<Job>()
  let stopping = false
  let claiming = false
  let filling: Promise<void> = Promise.resolve()
  let claimsAgain = false
  let timer: NodeJS.Timeout | undefined
  let coolDown: NodeJS.Timeout | undefined
  let coolUntilMs = 0
  /** How long the last claim took. */
  let lastTookMs = 0
  /**
   * Groups of jobs that ended since the last claim. The next claim gives them their own share, even when none of their
   * jobs is running any more: it would take them for unknown groups.
   */
  const freedGroups = new Set<string>()

  function fill() {
    if (claiming) {
      claimsAgain = true
      return
    }
    const leftMs = coolUntilMs - performance.now()
    if (leftMs <= 0) filling = claimWhileRoom()
    else coolDown ??= setTimeout(afterCoolDown, leftMs).unref()
  }

  function afterCoolDown() {
    coolDown = undefined
    fill()
  }

  /** As many jobs as there are slots may finish without one. More would pile up where results cannot be stored. */
  const slotsUsed = () => running.size - Math.min(finishing.size, options.slots)

  const isNearlyFull = () => slotsUsed() > options.slots * (7 / 8)

  async function claimWhileRoom() {
    claiming = true
    let isCooling = false
    try {
      do {
        // Jobs that end in the same turn free their slots together and lead to one claim instead of many.
        await new Promise((resolve) => setImmediate(resolve))
        claimsAgain = false
        if (stopping || slotsUsed() >= options.slots) break
        const waitMs = (await options.pauseMs?.()) ?? 0
        if (waitMs > 0) {
          lookAgainIn(waitMs)
          break
        }
        const limits = claimLimits()
        freedGroups.clear()
        const startMs = performance.now()
        const { jobs, isDrained, nextMs } = await options.claim(limits)
        const tookMs = performance.now() - startMs
        const started = jobs.map(start)
        if (stopping) {
          // Their handlers release what the claim has begun.
          for (const abort of started) abort.abort('stopping' satisfies AbortReason)
          break
        }
        if (!isDrained) claimsAgain = true
        else if (nextMs !== null) lookAgainIn(nextMs)
        isCooling = isNearlyFull() || jobs.length < limits.limit
        if (isCooling) coolUntilMs = performance.now() + coolDownMs(tookMs, lastTookMs)
        lastTookMs = tookMs
      } while (claimsAgain && !isCooling)
    } catch (error) {
      options.onError(error)
      lookAgainIn(retryPolicy.claim.any.everyMs)
    } finally {
      claiming = false
    }
    if (claimsAgain && isCooling) fill()
  }

  /** How many jobs can be claimed without any group or owner exceeding its share. */
  function claimLimits(): ClaimLimits {
    return {
      limit: Math.min(claimMax, options.slots - slotsUsed()),
      groups: share((job) => job.group, options.groupSlots, freedGroups),
      owners: share((job) => job.owner, options.ownerSlots),
    }
  }

  /** What is left for those that hold or held slots, and which of them hold their full share. */
  function share(
    nameOf: (job: Job) => string,
    slots: LaneOptions['groupSlots'],
    freed = new Set<string>(),
  ): SharesLeft {
    const { of, ofOthers } = typeof slots === 'number' ? { of: () => slots, ofOthers: slots } : slots
    const held = new Map([...freed].map((name) => [name, 0]))
    for (const job of running.keys()) {
      if (!finishing.has(job)) held.set(nameOf(job), (held.get(nameOf(job)) ?? 0) + 1)
    }
    const left: Record<string, number> = {}
    const full: string[] = []
    for (const [name, count] of held) {
      if (count >= of(name)) full.push(name)
      else left[name] = of(name) - count
    }
    return { ofOthers, left, full }
  }

  function lookAgainIn(ms: number) {
    clearTimeout(timer)
    if (stopping) return
    timer = setTimeout(fill, Math.min(ms, 60_000))
    timer.unref()
  }

  function start(job: Job): AbortController {
    const abort = new AbortController()
    const freeSlot = () => {
      finishing.add(job)
      refill(job.group)
    }
    const done = work(job, abort.signal, freeSlot)
      .catch(options.onError)
      .then(() => {
        running.delete(job)
        finishing.delete(job)
        refill(job.group)
      })
    running.set(job, { job, abort, done })
    return abort
  }

  function refill(freedGroup: string) {
    freedGroups.add(freedGroup)
    fill()
  }

  async function work(job: Job, signal: AbortSignal, freeSlot: () => void) {
    let end: JobEnd
    try {
      end = await options.handler(job, signal, freeSlot)
    } catch (error) {
      const reason: AbortReason | null = signal.aborted ? signal.reason : null
      if (reason === 'lost') return
      if (reason === 'stopping') return options.onStopped(job)
      return store(signal, () => options.onFailed(job, error))
    }
    if (end === 'done') await store(signal, () => options.onDone(job))
    else if (end === 'stopped') await options.onStopped(job)
    else if (end !== 'settled') await store(signal, () => options.onPutBack(job, end))
  }

  /** A job whose end is not stored would count as that of a crashed worker. */
  function store(signal: AbortSignal, write: () => Promise<void>): Promise<void> {
    return retryUntilWritable(write, { givesUp: () => stopping || signal.aborted, onRetry: options.onError })
  }

  const abortAll = (reason: AbortReason) => {
    for (const { abort } of running.values()) abort.abort(reason)
  }

  return {
    slots: options.slots,
    get slotsUsed() {
      return slotsUsed()
    },
    wake: fill,
    running: () =>
      [...running.values()].map(({ job, abort }) => ({ job, lost: () => abort.abort('lost' satisfies AbortReason) })),
    async stop(graceMs) {
      stopping = true
      clearTimeout(timer)
      clearTimeout(coolDown)
      // A claim in progress still returns jobs, which finish or are released like the others.
      await filling
      const grace = setTimeout(() => abortAll('stopping'), graceMs)
      await Promise.all([...running.values()].map(({ done }) => done))
      clearTimeout(grace)
    },
  }
}
