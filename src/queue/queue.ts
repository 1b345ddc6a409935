// The queue port: durable jobs that are enqueued in the caller's transaction and run at least once, in ascending order
// of a number. A handler settles its job in the transaction that stores the outcome, so that the two cannot differ.
import type { QueueDepth } from '../contract/operator.ts'
import type { Tx } from '../db/db.ts'

export interface NewJob {
  queue: string
  /** What the job is about, such as a task's id. A subject has at most one job at a time. */
  subject: string
  /** The group of the job, such as an account; a worker may limit how many jobs of one group run at once. */
  group: string
  /** The owner of the group, where an owner has many groups; limited by `ownerSlots`. */
  owner?: string
  /** Lower numbers are served first. */
  order: number
  delayMs?: number
  /** The number of claims of an earlier job that this one continues; counting goes on from it. */
  attempt?: number
}

/** A claimed job. `claim` is a fencing token: once the job is lost, nothing can be settled with it. */
export interface Job {
  queue: string
  subject: string
  group: string
  owner: string
  claim: string
  /** The number of claims so far. */
  attempt: number
  /** Earlier claims whose handler threw. */
  failures: number
  /** The latest claims that ended because their process crashed or hung; any other end begins the count anew. */
  crashes: number
}

/**
 * Runs one job. `signal` aborts when the job was taken back or deleted, or when the worker stops. `done` lets the queue
 * complete the job; `settled` means that the handler completed it in its own transaction. `againInMs` puts the job back
 * for this long as if it had not been claimed, unless `isAttempt` counts the claim; `order` moves it to another place. `stopped` releases the job for another worker, since this one stops.
 * Throwing releases the job and counts as a failure. `freeSlot` lets another job start before this one ends: what is left
 * to do, such as storing a result, needs no slot.
 */
export type JobHandler = (job: Job, signal: AbortSignal, freeSlot: () => void) => Promise<JobEnd>
export interface PutBack {
  againInMs: number
  isAttempt?: boolean
  order?: number
}
export type JobEnd = 'done' | 'settled' | 'stopped' | PutBack

export interface WorkOptions {
  slots: number
  /**
   * How many slots one group may hold at once; unlimited when omitted. A function may change its result for a group;
   * `ofOthers` is its result for unknown groups.
   */
  groupSlots?: number | { of(group: string): number; ofOthers: number }
  /** How many slots one owner may hold at once over all its groups; unlimited when omitted. */
  ownerSlots?: number
  /** How long a failed job waits before it is claimed again. */
  retryDelayMs: number
  /** How long to wait before the next claim; 0: claim now. */
  pauseMs?(): Promise<number>
  /** What the other workers of the queue need to know of this one. */
  health?(): LaneHealth
  /**
   * Called in the transaction that claims jobs, so that what a claim begins needs no transaction of its own. The claimed
   * jobs are locked. The handler gets the same objects.
   */
  onClaim?: ClaimHook | undefined
}

/** The transaction does not wait for the disk: a power cut may undo it, and the jobs then wait again. */
export type ClaimHook = (tx: Tx, jobs: readonly Job[]) => Promise<void>

/** What a worker reports of its work on a queue. */
export interface LaneHealth {
  /** It takes no jobs of the queue at present, because it seems to be to blame for their failures. */
  paused: boolean
  /** When work of each kind last succeeded. */
  succeededAt: Record<string, number | null>
}

/** Called in the transaction that takes jobs back from a worker that crashed or hung. */
export type LostHook = (tx: Tx, subjects: string[]) => Promise<void>

export interface Queue {
  enqueue(tx: Tx, jobs: readonly NewJob[]): Promise<void>
  /** Completes jobs in the caller's transaction; returns those that the caller still held. */
  complete(tx: Tx, jobs: readonly Job[]): Promise<Set<Job>>
  /** Turns jobs that the caller has locked (`lockClaimed`) into new ones about the same subjects, which anyone may claim. */
  replace(tx: Tx, jobs: readonly { job: Job; by: NewJob }[]): Promise<void>
  /** Returns the jobs that their claimers still hold. They keep them until the transaction ends. */
  lockClaimed(tx: Tx, jobs: readonly Job[]): Promise<Set<Job>>
  /** Locks the jobs of these subjects until the transaction ends. */
  lock(tx: Tx, subjects: readonly string[]): Promise<void>
  /** Makes the waiting jobs of these subjects due now, whatever their delay. */
  makeDue(tx: Tx, subjects: readonly string[]): Promise<void>
  /** Makes some of a queue's jobs due now that wait for a later time. Returns how many. */
  makeDelayedDue(queue: string, limit: number): Promise<number>
  /** Deletes the jobs of these subjects and aborts the workers that hold one. */
  remove(tx: Tx, subjects: readonly string[]): Promise<void>
  /**
   * Subjects of jobs that have been due since `dueBeforeMs`, in queues whose name begins with `prefix`, except
   * `served`.
   */
  unserved(filter: { prefix: string; served: string[]; dueBeforeMs: number; limit: number }): Promise<string[]>
  /**
   * The subjects of jobs in queues whose name begins with `prefix`, between these two, in their order: ids sort by time.
   */
  oldest(filter: { prefix: string; after: string; before: string; limit: number }): Promise<string[]>
  /** How many waiting jobs of the queue are served before this one, counted up to `max`. */
  countAhead(queue: string, job: Pick<NewJob, 'order' | 'subject'>, max: number): Promise<number>
  work(queue: string, options: WorkOptions, handler: JobHandler): void
  /**
   * Registered by every process, whether it works on the queue or not: the first to notice a lost job takes it back.
   */
  onLost(queue: string, hook: LostHook): void
  depths(): Promise<QueueDepth[]>
  /** Stops claiming, lets running jobs finish for a while, then aborts and releases them without counting a failure. */
  stop(graceMs: number): Promise<void>
}

/** Another worker has the job now. Nothing from this worker may be stored. */
export class JobLostError extends Error {
  constructor(message = 'the job was taken over or removed') {
    super(message)
  }
}

/** Completes a job in the transaction that stores its outcome. */
export async function settleJob(queue: Queue, tx: Tx, job: Job): Promise<void> {
  if (!(await queue.complete(tx, [job])).has(job)) throw new JobLostError()
}

/** Whether the caller still holds the job. It keeps it until the transaction ends. */
export const lockIfClaimed = async (queue: Queue, tx: Tx, job: Job) => (await queue.lockClaimed(tx, [job])).has(job)

/**
 * How many crashes in a row end what a job is about. A crash is no failed attempt: any other job of the process, or its
 * machine, may be the cause. One job that brings down every process that runs it must still end.
 */
export const crashesMax = 5

/** Its handler ends what the job is about instead of running it again. */
export const hasCrashedTooOften = ({ crashes }: Pick<Job, 'crashes'>) => crashes >= crashesMax
