// Runs jobs in child processes, so that work which may crash, hang or outgrow its memory costs one job and not the
// service. Children are reused and replaced; jobs wait in fair order between accounts and between their keys.
// What a job means is up to the module that the children run.
import { type Caller, createSlots } from '../limits/slots.ts'
import { slots as limits } from '../limits/table.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { type Child, type ChildOptions, startChild } from './child.ts'
import { ChildError, type ChildErrorCode } from './child-error.ts'
import { publishPoolEvent } from './pool-events.ts'

interface JobRequest {
  caller: Caller
  signal?: AbortSignal
  /**
   * Called with 0 while the job waits for a child, including one that is starting, so that a watchdog sees a heartbeat.
   */
  progress?: (percent: number) => void
  /** Called with the time that a child worked on the job, however it ended. */
  used?: (ms: number) => void
}

/** The account and key on whose behalf a job runs. */
export type OnBehalfOf = Pick<JobRequest, 'caller' | 'signal' | 'used'>

interface ChildPool<Job, Result> {
  run(job: Job, request: JobRequest): Promise<Result>
  /** Starts the processes before they are needed. */
  warm(): Promise<void>
  /** Process ids of the running children. */
  pids(): number[]
  close(): Promise<void>
}

export interface ChildPoolOptions extends ChildOptions {
  /** Children at once. */
  slots: number
  /** Children that one account may use at once (default: all), and one of its keys. */
  slotsPerAccount?: number
  /** Children that one account may use while others use the pool too (default: as many). */
  slotsPerAccountShared?: number
  slotsPerKey?: number
  waitingMax?: number
  /** A child is replaced after this many jobs, even if it is healthy. */
  jobsPerChildMax?: number
  /** Children beyond the first end when they had no job for this long (default: never). */
  idleMsMax?: number
}

const waitingHeartbeatMs = 5_000

export function createChildPool<Job, Result>(options: ChildPoolOptions): ChildPool<Job, Result> {
  const { name, slots, waitingMax = limits.waitingJobs.of, jobsPerChildMax = 1_000, idleMsMax = null } = options
  const perAccount = Math.min(slots, options.slotsPerAccount ?? slots)
  const perKey = Math.min(perAccount, options.slotsPerKey ?? perAccount)
  const perAccountShared = Math.min(perAccount, options.slotsPerAccountShared ?? perAccount)
  const turns = createSlots({ total: slots, perAccount, perAccountShared, perKey })
  const children = new Set<Child<Job, Result>>()
  const idle: { child: Child<Job, Result>; timer: NodeJS.Timeout | null }[] = []
  const closing = new AbortController()
  const underWay = new Set<Promise<unknown>>()

  async function start(): Promise<Child<Job, Result>> {
    const child = await startChild<Job, Result>(options)
    children.add(child)
    if (closing.signal.aborted) await end(child)
    closing.signal.throwIfAborted()
    return child
  }

  async function end(child: Child<Job, Result>): Promise<void> {
    children.delete(child)
    await child.stop()
  }

  async function takeChild(): Promise<Child<Job, Result>> {
    for (let next = idle.pop(); next; next = idle.pop()) {
      if (next.timer) clearTimeout(next.timer)
      if (next.child.alive) return next.child
      children.delete(next.child)
    }
    return start()
  }

  async function keepChild(child: Child<Job, Result>): Promise<void> {
    if (!child.alive || child.jobsDone >= jobsPerChildMax || closing.signal.aborted) return end(child)
    const entry = { child, timer: idleMsMax === null ? null : setTimeout(() => retire(entry), idleMsMax).unref() }
    idle.push(entry)
  }

  function retire(entry: (typeof idle)[number]): void {
    if (children.size <= 1) return
    idle.splice(idle.indexOf(entry), 1)
    void end(entry.child)
  }

  async function runOne(job: Job, { caller, progress, used }: JobRequest, signal: AbortSignal): Promise<Result> {
    const heartbeat = setInterval(() => progress?.(0), waitingHeartbeatMs)
    const queuedAt = performance.now()
    publishPoolEvent({ pool: name, kind: 'queued' })
    let leave = () => {}
    let child: Child<Job, Result>
    try {
      leave = await turns.enter(caller, { signal })
      child = await takeChild()
    } catch (error) {
      publishPoolEvent({ pool: name, kind: 'left' })
      leave()
      throw error
    } finally {
      clearInterval(heartbeat)
    }
    const startedAt = performance.now()
    publishPoolEvent({ pool: name, kind: 'started', waitedMs: startedAt - queuedAt })
    let killed: ChildErrorCode | null = null
    try {
      return await child.run(job, { signal, progress })
    } catch (error) {
      if (error instanceof ChildError && error.blamesJob) killed = error.code
      throw error
    } finally {
      publishPoolEvent({ pool: name, kind: 'ended', killed })
      used?.(performance.now() - startedAt)
      await keepChild(child).finally(leave)
    }
  }

  return {
    async run(job, request) {
      closing.signal.throwIfAborted()
      if (turns.waiting >= waitingMax) throw new ChildError('busy', `${waitingMax} jobs wait for the ${name}`)
      const signal = request.signal ? AbortSignal.any([request.signal, closing.signal]) : closing.signal
      const work = runOne(job, request, signal)
      underWay.add(work)
      return work.finally(() => underWay.delete(work))
    },
    async warm() {
      const missing = Math.max(0, slots - children.size)
      await waitForAll(Array.from({ length: missing }, async () => keepChild(await start())))
    },
    pids: () => [...children].filter((child) => child.alive).map((child) => child.pid),
    async close() {
      closing.abort(new ChildError('closed', `the ${name} is closed`))
      for (const { timer } of idle.splice(0)) if (timer) clearTimeout(timer)
      await Promise.all([...children].map((child) => child.stop()))
      await Promise.allSettled(underWay)
      children.clear()
    },
  }
}
