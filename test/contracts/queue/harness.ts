// Tools of the queue's contract: a queue with its hands tied to the test, and what to look at.
import assert from 'node:assert/strict'
import type { Db } from '../../../src/db/db.ts'
import type { Job, JobEnd, NewJob, WorkOptions } from '../../../src/queue/queue.ts'
import type { SqlQueue } from '../../../src/queue/sql-queue.ts'
import { within } from '../../support/within.ts'

export interface QueueUnderTest {
  queue: SqlQueue
  db: Db
  /** Its workers send no heartbeats, though their code runs on; `false` brings them back. */
  hang(hung: boolean): void
  /** Called once the queue has stopped. */
  close(): Promise<void>
}

/** Where queues of one implementation are tried out. */
export interface QueueBench {
  /** How long a lease lasts without heartbeats. */
  leaseMs: number
  /** One more process on the same jobs. */
  open(): Promise<QueueUnderTest>
  /** Lets time pass for the queue; what has come due by then is begun. */
  pass(ms: number): Promise<void>
  /** Empties it. */
  reset(): Promise<void>
  stop(): Promise<void>
}

/** What the tests of the contract get. */
export interface QueueTests {
  /** There once the tests run. */
  bench(): QueueBench
  /** One more process, which is stopped after the test. */
  open(): Promise<QueueUnderTest>
}

export const retryDelayMs = 1000
const deadlineMs = 5000

export function send({ queue, db }: QueueUnderTest, ...jobs: Partial<NewJob>[]): Promise<void> {
  const whole = jobs.map((job) => ({ queue: 'q', subject: 's', group: 'g', order: 0, ...job }))
  return db.transaction((tx) => queue.enqueue(tx, whole))
}

/** Completes a job; false when it was lost. */
export async function complete({ queue, db }: QueueUnderTest, job: Job): Promise<boolean> {
  return (await db.transaction((tx) => queue.complete(tx, [job]))).has(job)
}

export async function depth({ queue }: QueueUnderTest) {
  return (await queue.depths()).find((found) => found.queue === 'q')
}

/** Waits until so many jobs wait and run; undefined for an empty queue. */
export async function untilDepth(one: QueueUnderTest, expected: { waiting: number; running: number } | undefined) {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    const found = await depth(one)
    if (found?.waiting === expected?.waiting && found?.running === expected?.running) return
    assert.ok(performance.now() < deadline, `the depth stayed ${JSON.stringify(found)}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** A job that is being worked, and its end in the test's hand. */
interface Handled {
  job: Job
  signal: AbortSignal
  freeSlot(): void
  end(result: JobEnd | Error): void
}

interface HeldWorker {
  /** Those that have begun and not ended. */
  running: Set<Handled>
  /** Whether none has begun that `next` has not shown. */
  idle(): boolean
  /** The next job that is begun. */
  next(): Promise<Handled>
}

/** Works `q` with a handler that waits for the test; an aborted one gives up at once. */
export function work({ queue }: QueueUnderTest, slots = 1, more: Partial<WorkOptions> = {}): HeldWorker {
  const begun: Handled[] = []
  const waiting: ((handled: Handled) => void)[] = []
  const running = new Set<Handled>()
  queue.work('q', { slots, retryDelayMs, ...more }, (job, signal, freeSlot) => {
    return new Promise((resolve, reject) => {
      const handled: Handled = {
        job,
        signal,
        freeSlot,
        end(result) {
          running.delete(handled)
          if (result instanceof Error) reject(result)
          else resolve(result)
        },
      }
      signal.addEventListener('abort', () => handled.end(new Error('aborted')))
      running.add(handled)
      const taker = waiting.shift()
      if (taker) taker(handled)
      else begun.push(handled)
    })
  })
  return {
    running,
    idle: () => begun.length === 0,
    next() {
      const first = begun.shift()
      const next = first ? Promise.resolve(first) : new Promise<Handled>((resolve) => waiting.push(resolve))
      return within(deadlineMs, 'a job to begin', next)
    },
  }
}

export function aborted({ signal }: Handled): Promise<void> {
  const abort = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })
  return within(deadlineMs, 'the signal to abort', abort)
}

/** A job of the last place is served: whatever else is there is not due. */
export async function passOver(one: QueueUnderTest, worker: HeldWorker): Promise<void> {
  await send(one, { subject: 'last', order: Number.MAX_SAFE_INTEGER })
  const last = await worker.next()
  assert.equal(last.job.subject, 'last')
  last.end('done')
}
