// The queue port: durable jobs that are sent inside the caller's transaction and worked at least once, in order of a
// number. Handlers settle their job in the transaction that records its outcome, so that the two cannot differ.
import type { Tx } from '../db/db.ts'

export interface NewJob {
  queue: string
  /** What the job is about, such as a task's id. */
  subject: string
  /** Whom the job is for, such as an account: a worker may bound how many of one group it runs at once. */
  group: string
  /** Whom it is for as a whole, where one has many groups: bounded by `ownerSlots`. */
  owner?: string
  /** Lower is served first. */
  order: number
  delayMs?: number
  /** Claims of a job that this one goes on from: the next counts on. */
  attempt?: number
}

/** A claimed job. `claim` fences it: once the lease is lost, nothing can be settled with this value any more. */
export interface Job {
  id: string
  queue: string
  subject: string
  group: string
  owner: string
  claim: string
  /** Counts the claims. */
  attempt: number
  /** Earlier claims that ended badly: the worker died, hung or threw. */
  failures: number
}

/**
 * Works one job. `signal` aborts when the lease is lost, the job was removed, or the worker stops.
 * `done` lets the queue complete it, `settled` says that the handler did so in its own transaction; throwing gives it
 * back as a failure.
 */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<'done' | 'settled'>

export interface WorkOptions {
  slots: number
  /**
   * Of the slots, how many one group may hold at once; no bound when left out. A function may change its mind about a
   * group; `ofOthers` is its answer for groups it knows nothing of.
   */
  groupSlots?: number | { of(group: string): number; ofOthers: number }
  /** Of the slots, how many one owner may hold at once over all its groups; no bound when left out. */
  ownerSlots?: number
  /** Waits this long before a failed job is claimed again. */
  retryDelayMs: number
}

/** Called in the transaction that takes jobs back from a worker that died or hung. */
export type LostHook = (tx: Tx, subjects: string[]) => Promise<void>

export interface QueueDepth {
  queue: string
  waiting: number
  running: number
  /** Milliseconds that the oldest waiting job has been due. */
  oldestMs: number
}

export interface Queue {
  enqueue(tx: Tx, jobs: readonly NewJob[]): Promise<void>
  /** Ends a job inside the caller's transaction. False means that the lease was lost: roll back and stop. */
  complete(tx: Tx, job: Job): Promise<boolean>
  /** Ends many jobs; returns those whose lease was not lost. */
  completeAll(tx: Tx, jobs: readonly Job[]): Promise<Set<Job>>
  /** Whether the job is still the caller's; it stays so until the transaction ends. */
  holds(tx: Tx, job: Job): Promise<boolean>
  /** Of many jobs, those that are still their claimers'; they stay so until the transaction ends. */
  holdsAll(tx: Tx, jobs: readonly Job[]): Promise<Set<Job>>
  /** Makes the waiting jobs about these subjects due now, whatever delay they were sent with. */
  release(tx: Tx, subjects: readonly string[]): Promise<void>
  /** Deletes every job about these subjects; a worker that holds one is aborted. */
  remove(tx: Tx, subjects: readonly string[]): Promise<void>
  /** Subjects of jobs that have been due since `dueBeforeMs`, in queues whose name begins with `prefix`, except `served`. */
  unserved(filter: { prefix: string; served: string[]; dueBeforeMs: number; limit: number }): Promise<string[]>
  work(queue: string, options: WorkOptions, handler: JobHandler): void
  /** For every process, whether it works on the queue or not: whoever looks first takes a lost job back. */
  onLost(queue: string, hook: LostHook): void
  depths(): Promise<QueueDepth[]>
  /** Stops claiming, lets running jobs finish for a while, then aborts them and gives them back without a failure. */
  stop(graceMs: number): Promise<void>
}
