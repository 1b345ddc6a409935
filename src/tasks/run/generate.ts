// The `generating` state: submits a task to its engine, follows it, and ends the attempt with the result.
import type { GroupCommit } from '../../commit/group-commit.ts'
import type { Understood } from '../../contract/tasks/records.ts'
import type { Db, Tx } from '../../db/db.ts'
import { isWriteFailure } from '../../db/write-health.ts'
import {
  type Engine,
  EngineError,
  type EngineResult,
  type FollowContext,
  type Handle,
  type Plan,
  StoppedWaiting,
} from '../../engines/engine.ts'
import { type Needs, needsOf } from '../../engines/fleet/routing.ts'
import { unmatchedNames } from '../../models/subject-names.ts'
import type { Clock } from '../../platform/clock.ts'
import { formatDuration } from '../../platform/durations.ts'
import type { Logger } from '../../platform/logger.ts'
import { untilAborted } from '../../platform/until-aborted.ts'
import { hasCrashedTooOften } from '../../queue/crashes.ts'
import type { ClaimHook, Job, JobEnd, JobHandler, Queue } from '../../queue/queue.ts'
import { LeaseLostError, settleJob } from '../../queue/settle-job.ts'
import type { FileHealth } from '../../storage/file-health.ts'
import type { Storage } from '../../storage/storage.ts'
import type { WorkFolder } from '../../storage/work-folder.ts'
import type { Finish } from '../finish/finish.ts'
import { type History, historyOf, readAttempts } from '../store/attempts.ts'
import type { TaskEvents } from '../store/events.ts'
import type { FindTask } from '../store/read.ts'
import { changeEngine } from '../store/store.ts'
import type { StoreFiles } from '../store/task-files.ts'
import type { TaskRow } from '../store/task-row.ts'
import { afterFailure, attemptsMax, crashedTooOften, outOfAttempts, unavailableMax } from './after-failure.ts'
import { createBegin } from './begin.ts'
import { createEnds } from './ends.ts'
import { generateJob } from './generate-job.ts'
import { createHandles } from './handles.ts'
import { createFollowProgress } from './progress.ts'
import { type Release, releaseTasks } from './release.ts'
import { type SilenceWatch, watchSilence } from './silence.ts'
import { storeResult } from './store-result.ts'

interface GenerateDeps {
  db: Db
  transactions: GroupCommit
  queue: Queue
  clock: Clock
  events: TaskEvents
  storage: Storage
  files: FileHealth
  log: Logger
  find: FindTask
  finish: Finish
  storeFiles: StoreFiles
  /** Asks an engine to stop its work on a task, without waiting for it. */
  stopEngine(engine: string, handle: Handle): void
  /** Asks an engine to delete its copy of a result that is stored, without waiting for it. */
  discard(engine: string, handle: Handle): void
  withFolder: WorkFolder['withFolder']
  /** Aborts when this process stops. */
  stopping: AbortSignal
  videoTtlMs: number
  upstreamSilenceMs: number
  /** For metrics: the outcome of an engine's attempt. */
  onAttempt(engine: string, result: 'success' | 'failed' | 'retried' | 'silent'): void
  placement: Placement
}

/** Chooses the engine that takes a task now, and tracks the health of engines. */
interface Placement {
  /** Whether the engine takes every task at the moment, so that none has to ask. */
  takesAll(engine: string): boolean
  /** Runs the placement and the start of a task, one after another where an engine's cap demands it. */
  inTurn<T>(engine: string, start: () => Promise<T>): Promise<T>
  /** Counts a task that has not been submitted yet as one of `engine`; false when the engine takes none now. */
  enter(engine: string): Promise<boolean>
  /** The engine that the task goes to: `engine`, or another one of its model; else when to ask again. */
  place(
    engine: string,
    task: { model: string; needs: Needs; failedOn: readonly string[] },
  ): Promise<{ engine: string } | { againInMs: number }>
  /** The engine that takes over a task that `engine` must not get again; null when there is none. */
  successor(engine: string, task: { model: string; needs: Needs; failedOn: readonly string[] }): string | null
  report(engine: string, event: 'succeeded' | 'failed', problem?: string): void
  /** Why the generator does not take a task yet; null when that is over. */
  waiting(engine: string, reason: string | null): void
}

const unavailableDelayMs = 1000

/** The share of the requested length below which a video is a failed attempt. */
const deliveredShareMin = 0.9

interface Work {
  workDir: string
  silence: SilenceWatch
  submission: string
  freeSlot(): void
}

/** The work on an engine's queue. */
export interface Generate {
  onClaim: ClaimHook
  run: JobHandler
}

/** Shared by all engines of a process: their tasks start, report and end in shared transactions. */
export function createGenerate(deps: GenerateDeps): (engine: Engine) => Generate {
  const begin = createBegin(deps)
  const followProgress = createFollowProgress(deps)
  const handlesOf = createHandles(deps)
  const { whenWritable, write, succeed, fail } = createEnds(deps)

  return (engine) => {
    /**
     * Not for engines that are submitted to: should the database crash and forget the claim, another worker would submit
     * the same attempt again.
     */
    async function onClaim(tx: Tx, jobs: readonly Job[]): Promise<void> {
      if (!engine.start && deps.placement.takesAll(engine.name)) await begin.onClaim(tx, jobs)
    }

    async function run(job: Job, leaseSignal: AbortSignal, freeSlot: () => void): Promise<JobEnd> {
      const history = job.attempt > 1 ? historyOf(await readAttempts(deps.db, job.subject)) : noHistory
      // A job counts the crashes before an attempt too; another engine's job counts anew, but not the task's attempts.
      if (hasCrashedTooOften(job) || hasCrashedTooOften(history)) {
        deps.log.warn({ task: job.subject }, 'a task was ended: every process that ran it crashed')
        await fail(job, crashedTooOften, 'worker_crashed', { stopsEngine: true })
        return 'settled'
      }
      const begun = begin.atClaim(job)
      const started = begun
        ? { task: begun }
        : await deps.placement.inTurn(engine.name, () => startHere(job, history, leaseSignal))
      if ('end' in started) return started.end
      const { task } = started
      if (job.failures >= attemptsMax) {
        await fail(job, outOfAttempts, 'failed', { stopsEngine: true })
        return 'settled'
      }
      const silence = watchSilence(deps.upstreamSilenceMs, leaseSignal)
      const submission = `${task.id}-${engine.name}-${history.failedOn.length}`
      try {
        const folder = `${task.id}-${job.attempt}`
        await deps.withFolder(folder, (workDir) => follow(task, job, { workDir, silence, submission, freeSlot }))
        return 'settled'
      } catch (error) {
        if (silence.expired) return await endSilent(job)
        if (leaseSignal.aborted || error instanceof LeaseLostError) {
          await stopWorking(task, job)
          throw error
        }
        if (error instanceof StoppedWaiting) {
          await stopWorking(task, job)
          return 'stopped'
        }
        return await retryOrFail(task, job, history, error)
      } finally {
        silence.stop()
      }
    }

    async function startHere(
      job: Job,
      history: History,
      leaseSignal: AbortSignal,
    ): Promise<{ task: TaskRow } | { end: JobEnd }> {
      leaseSignal.throwIfAborted()
      const elsewhere = await placeElsewhere(job, history)
      if (elsewhere !== null) return { end: elsewhere }
      const task = await begin.now(job)
      return task ? { task } : { end: 'done' }
    }

    /**
     * A task that was not submitted yet goes to another engine when this one is unhealthy, at its cap, or has failed it.
     * While no engine takes it, it waits in the queue and holds no slot. Null: it runs here.
     */
    async function placeElsewhere(job: Job, { failedOn }: History): Promise<JobEnd | null> {
      // Most tasks run where they were queued at their first attempt, and need not be read to know that.
      if (job.attempt === 1 && (await deps.placement.enter(engine.name))) return null
      const task = await deps.find(job.subject)
      if (!task?.plan || task.handle !== null) return null
      const needs = needsOf(JSON.parse(task.plan) as Plan)
      const placed = await deps.placement.place(engine.name, { model: task.model, needs, failedOn })
      if ('againInMs' in placed) return placed
      if (placed.engine === engine.name) return null
      await deps.db.transaction(async (tx) => {
        await settleJob(deps.queue, tx, job)
        await handOver(tx, task, job, placed.engine)
      })
      return 'settled'
    }

    /** Queues a waiting task, whose job is settled, for another engine. */
    async function handOver(tx: Tx, task: TaskRow, job: Job, target: string): Promise<void> {
      const isChanged = await changeEngine(tx, task.id, { from: engine.name, to: target })
      if (isChanged) await deps.queue.enqueue(tx, [generateJob(task, target, job.attempt)])
    }

    function successorFor(task: TaskRow, { failedOn }: History): string | null {
      const needs = needsOf(JSON.parse(task.plan!) as Plan)
      return deps.placement.successor(engine.name, { model: task.model, needs, failedOn })
    }

    async function follow(task: TaskRow, job: Job, { workDir, silence, submission, freeSlot }: Work) {
      const plan = JSON.parse(task.plan!) as Plan
      const progress = followProgress(task.id, job.attempt)
      const handles = handlesOf(engine, task, job, silence.heartbeat)
      const withNames = namesIn(plan)
      let latest: Handle | null = null
      let waitsFor: string | null = null
      const context: FollowContext = {
        workDir,
        localPath: (file) => deps.storage.localPath(file),
        signal: silence.signal,
        progress(percent) {
          silence.heartbeat()
          progress.report(percent)
        },
        waiting(reason) {
          if (reason !== null && reason !== waitsFor) {
            deps.log.warn({ task: task.id, engine: engine.name, reason }, 'a task waits: its generator is busy')
          }
          waitsFor = reason
          deps.placement.waiting(engine.name, reason)
        },
        understood: (read) => progress.understood(withNames(read)),
        locally: silence.whilePaused,
        submission,
        async keep(handle) {
          await handles.keep(handle)
          latest = handle
        },
      }
      try {
        context.signal.throwIfAborted()
        const handle = await handles.start(plan, context)
        const result = await untilAborted(engine.follow(handle, plan, context), context.signal)
        silence.stop()
        freeSlot()
        checkLength(result, plan)
        const held = { job, signal: context.signal }
        const stored = await whenWritable(() => storeResult(deps, task, held, engine.name, result))
        await succeed(job, { ...stored, understood: progress.reading ?? JSON.stringify(withNames(nothingRead)) })
        deps.discard(engine.name, latest ?? handle)
      } finally {
        await progress.close()
      }
      deps.onAttempt(engine.name, 'success')
      deps.placement.report(engine.name, 'succeeded')
    }

    async function retryOrFail(task: TaskRow, job: Job, history: History, thrown: unknown): Promise<'settled'> {
      const error = thrown instanceof EngineError ? thrown : null
      // Checked before anything is written: a write may wait until the disk has room again.
      const waitsToStore = error?.blame !== 'task' && (isWriteFailure(thrown) || !(await deps.files.canStore()))
      if (waitsToStore)
        deps.log.warn({ err: thrown, task: task.id }, 'a task waits because its result cannot be stored')
      // Ending a task stops its engine, and the engine's error may arrive before the end itself.
      if (!(await write((tx) => deps.queue.holds(tx, job)))) return 'settled'
      // Otherwise a worker whose disk is full would fail every task that it has.
      if (waitsToStore && history.unavailable < unavailableMax) {
        return queueAgain(task, job, { keepHandle: true, reason: 'the worker could not store the result' })
      }
      if (error?.blame !== 'task') deps.placement.report(engine.name, 'failed', (thrown as Error).message)
      const successor = () => successorFor(task, history)
      const next = afterFailure({ error, failures: job.failures, history, successor })
      if ('waitForEngine' in next) return queueAgain(task, job, { keepHandle: false })
      if ('fail' in next) {
        deps.log.warn({ err: thrown, task: task.id, engine: engine.name }, 'an engine failed a task')
        deps.onAttempt(engine.name, 'failed')
        await fail(job, next.fail, 'failed')
        return 'settled'
      }
      deps.onAttempt(engine.name, 'retried')
      const failed = { keepHandle: false, outcome: 'failed', reason: error?.message ?? null } as const
      if ('retry' in next) {
        await write((tx) => release(tx, task, job, failed))
        throw thrown
      }
      await write(async (tx) => {
        await settleJob(deps.queue, tx, job)
        await release(tx, task, job, failed)
        await handOver(tx, task, job, next.handOverTo)
      })
      return 'settled'
    }

    /** The attempt does not count as a failure. */
    async function queueAgain(
      task: TaskRow,
      job: Job,
      end: Pick<Release, 'keepHandle' | 'reason'>,
    ): Promise<'settled'> {
      deps.onAttempt(engine.name, 'retried')
      await write(async (tx) => {
        await settleJob(deps.queue, tx, job)
        await release(tx, task, job, { ...end, outcome: 'unavailable' })
        const again = generateJob(task, engine.name, job.attempt)
        await deps.queue.enqueue(tx, [{ ...again, delayMs: unavailableDelayMs }])
      })
      return 'settled'
    }

    async function endSilent(job: Job): Promise<'settled'> {
      deps.onAttempt(engine.name, 'silent')
      deps.placement.report(engine.name, 'failed', 'it sent no heartbeat')
      const message = `The generator sent no heartbeat for ${formatDuration(deps.upstreamSilenceMs)}.`
      await fail(job, { reason: 'upstream_silent', message }, 'silent', { stopsEngine: true })
      return 'settled'
    }

    /** A stopping worker still holds its job: the task waits with it for another worker. */
    async function stopWorking(task: TaskRow, job: Job) {
      await deps.db.transaction(async (tx) => {
        if (!(await deps.queue.holds(tx, job))) return
        await release(tx, task, job, { keepHandle: true, outcome: 'worker_stopped' })
      })
    }

    return { onClaim, run }
  }

  function release(tx: Tx, task: TaskRow, job: Job, end: Pick<Release, 'keepHandle' | 'outcome' | 'reason'>) {
    return releaseTasks(deps, tx, [{ taskId: task.id, attempt: job.attempt, ...end }])
  }
}

const noHistory: History = { failedOn: [], unavailable: 0, crashes: 0 }

const nothingRead: Understood = { moves: [], effects: [], framing: null, notDone: [] }

/** Adds the names that no engine can read: those without a subject, and subjects that are not named. */
function namesIn({ prompt, shots, elements }: Plan): (read: Understood) => Understood {
  const names = unmatchedNames(
    [prompt, ...shots.map((shot) => shot.prompt)],
    elements.map(({ name }) => name),
  )
  return (read) => ({ ...read, notDone: [...new Set([...read.notDone, ...names])] })
}

function checkLength(result: EngineResult, plan: Plan): void {
  if (result.seconds >= plan.seconds * deliveredShareMin) return
  const message = `The engine delivered ${result.seconds} s of video; ${plan.seconds} s were requested.`
  throw new EngineError(message, { retryable: true, blame: 'engine' })
}
