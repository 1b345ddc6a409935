// The `generating` state: the attempt of a job begins, follows its engine, and ends.
import type { Tx } from '../../db/db.ts'
import { type Engine, StoppedWaiting } from '../../engines/engine.ts'
import type { ClaimHook, Job, JobEnd, JobHandler } from '../../queue/queue.ts'
import { hasCrashedTooOften, JobLostError } from '../../queue/queue.ts'
import { type History, historyOf, readAttempts } from '../store/attempts.ts'
import type { TaskRow } from '../store/task-row.ts'
import { attemptsMax, crashedTooOften, outOfAttempts } from './after-failure.ts'
import type { Attempt, AttemptDeps } from './attempt.ts'
import { createBegin } from './begin.ts'
import { createEnds } from './end.ts'
import { createFollow } from './follow.ts'
import { placeElsewhere } from './place.ts'
import { watchSilence } from './silence.ts'

const noHistory: History = { failedOn: [], unavailable: 0, crashes: 0 }

/** The work on an engine's queue. */
export interface Generate {
  onClaim: ClaimHook
  run: JobHandler
}

/** Shared by all engines of a process: their tasks start, report and end in shared transactions. */
export function createGenerate(deps: AttemptDeps): (engine: Engine) => Generate {
  const begin = createBegin(deps)
  const ends = createEnds(deps)
  const follow = createFollow(deps, ends)

  return (engine) => {
    /**
     * Not for engines that are submitted to: should the database crash and forget the claim, another worker would submit
     * the same attempt again.
     */
    async function onClaim(tx: Tx, jobs: readonly Job[]): Promise<void> {
      if (!engine.start && deps.fleet.takesAll(engine.name)) await begin.onClaim(tx, jobs)
    }

    async function run(job: Job, jobSignal: AbortSignal, freeSlot: () => void): Promise<JobEnd> {
      const history = job.attempt > 1 ? historyOf(await readAttempts(deps.db, job.subject)) : noHistory
      // A job counts the crashes before an attempt too; another engine's job counts anew, but not the task's attempts.
      if (hasCrashedTooOften(job) || hasCrashedTooOften(history)) {
        deps.log.warn({ task: job.subject }, 'a task was ended: every process that ran it crashed')
        await ends.fail(job, crashedTooOften, 'worker_crashed', { stopsEngine: true })
        return 'settled'
      }
      const begun = begin.atClaim(job)
      const started = begun
        ? { task: begun }
        : await deps.fleet.inTurn(engine.name, () => startHere(job, history, jobSignal))
      if ('end' in started) return started.end
      if (job.failures >= attemptsMax) {
        await ends.fail(job, outOfAttempts, 'failed', { stopsEngine: true })
        return 'settled'
      }
      return followToEnd({ engine, task: started.task, job, history }, jobSignal, freeSlot)
    }

    async function startHere(
      job: Job,
      history: History,
      jobSignal: AbortSignal,
    ): Promise<{ task: TaskRow } | { end: JobEnd }> {
      jobSignal.throwIfAborted()
      const elsewhere = await placeElsewhere(deps, engine, job, history)
      if (elsewhere !== null) return { end: elsewhere }
      const task = await begin.now(job)
      return task ? { task } : { end: 'done' }
    }

    return { onClaim, run }
  }

  async function followToEnd(attempt: Attempt, jobSignal: AbortSignal, freeSlot: () => void): Promise<JobEnd> {
    const { task, job } = attempt
    const silence = watchSilence(deps.upstreamSilenceMs, jobSignal)
    try {
      await deps.withFolder(`${task.id}-${job.attempt}`, (workDir) => follow(attempt, { workDir, silence, freeSlot }))
    } catch (error) {
      if (silence.expired) await ends.failSilent(attempt)
      else if (jobSignal.aborted || error instanceof JobLostError) {
        await ends.stop(attempt)
        throw error
      } else if (error instanceof StoppedWaiting) {
        await ends.stop(attempt)
        return 'stopped'
      } else await ends.retryOrFail(attempt, error)
    } finally {
      silence.stop()
    }
    return 'settled'
  }
}
