// The `generating` state: gives a task to its engine, follows it, and ends the task with what came back.
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db, Tx } from '../../db/db.ts'
import {
  type Engine,
  EngineError,
  type EngineResult,
  type FollowContext,
  type Handle,
  type Plan,
} from '../../engines/engine.ts'
import { type Needs, needsOf } from '../../engines/fleet/routing.ts'
import { formatDuration } from '../../platform/durations.ts'
import { newId } from '../../platform/ids.ts'
import type { Logger } from '../../platform/logger.ts'
import { untilAborted } from '../../platform/until-aborted.ts'
import type { Job, JobHandler } from '../../queue/queue.ts'
import { reserveFiles, setFileExpiry } from '../../storage/files.ts'
import type { Storage } from '../../storage/storage.ts'
import { abandonTask, type FinishDeps, failTaskOfJob, type StoredVideo, succeedTask } from '../finish/finish.ts'
import { LeaseLostError, settleJob } from '../finish/settle-job.ts'
import { type Attempts, failedNote, readAttempts, unreachedNote } from '../store/attempts.ts'
import { setGeneratingIfQueueing, setQueueingIfGenerating } from '../store/moves.ts'
import { findTask } from '../store/read.ts'
import type { TaskRow } from '../store/task-row.ts'
import { generateJob } from './generate-job.ts'
import { createProgressWriter } from './progress.ts'
import { watchSilence } from './silence.ts'

export interface GenerateDeps extends FinishDeps {
  db: Db
  storage: Storage
  log: Logger
  /** A folder for work in progress. */
  tempDir: string
  upstreamSilenceMs: number
  /** For metrics: how an attempt of an engine ended. */
  onAttempt(engine: string, result: 'success' | 'failed' | 'retried' | 'silent'): void
  placement: Placement
}

/** Who takes a task now, and how engines do. */
export interface Placement {
  /** The engine that the task goes to: `engine` or another of its model. Waits while none takes it. */
  place(
    engine: string,
    task: { model: string; needs: Needs; failedOn: readonly string[] },
    signal: AbortSignal,
  ): Promise<string>
  report(engine: string, event: 'succeeded' | 'failed', problem?: string): void
}

export const attemptsMax = 3
const outOfAttempts = `The video could not be generated in ${attemptsMax} attempts.`

/** Every task ends: also one whose engine seems to be there, but never when it is needed. */
const unreachedMax = 50
const unreachedDelayMs = 1000

/** Bytes that were stored for a task which then did not succeed are swept after this long. */
const reservedMs = 24 * 3_600_000

export function createGenerate(deps: GenerateDeps, engine: Engine): JobHandler {
  return async (job, leaseSignal) => {
    const attempts = await readAttempts(deps.db, job.subject)
    if (await moveElsewhere(job, attempts, leaseSignal)) return 'settled'
    const task = await begin(deps, job)
    if (!task) return 'done'
    if (job.failures >= attemptsMax) {
      await failTaskOfJob(deps, job, { reason: 'engine_failed', message: outOfAttempts }, abandonTask)
      return 'settled'
    }
    const workDir = join(deps.tempDir, `${task.id}-${job.attempt}`)
    await mkdir(workDir, { recursive: true })
    const silence = watchSilence(deps.upstreamSilenceMs, leaseSignal)
    try {
      await follow(task, job, { workDir, silence, submission: `${task.id}-${engine.name}-${attempts.failedOn.length}` })
      return 'settled'
    } catch (error) {
      if (silence.expired) return await endSilent(job)
      if (leaseSignal.aborted || error instanceof LeaseLostError) {
        await leave(task, job)
        throw error
      }
      return await retryOrFail(task, job, attempts, error)
    } finally {
      silence.stop()
      await rm(workDir, { recursive: true, force: true })
    }
  }

  /** A task whose engine is ill or has had enough goes to another, or waits here. One that was submitted stays. */
  async function moveElsewhere(job: Job, { failedOn }: Attempts, signal: AbortSignal): Promise<boolean> {
    const task = await findTask(deps.db, job.subject)
    if (!task?.plan || task.handle !== null) return false
    const needs = needsOf(JSON.parse(task.plan) as Plan)
    const target = await deps.placement.place(engine.name, { model: task.model, needs, failedOn }, signal)
    if (target === engine.name) return false
    await deps.db.transaction(async (tx) => {
      await settleJob(deps.queue, tx, job)
      await tx.run('update tasks set engine = ? where id = ?', [target, task.id])
      await deps.queue.enqueue(tx, [generateJob(task, target, job.attempt)])
    })
    return true
  }

  async function follow(
    task: TaskRow,
    job: Job,
    work: { workDir: string; silence: ReturnType<typeof watchSilence>; submission: string },
  ) {
    const plan = JSON.parse(task.plan!) as Plan
    const progress = createProgressWriter(deps, task.id, job.attempt)
    const context: FollowContext = {
      workDir: work.workDir,
      localPath: (file) => deps.storage.localPath(file),
      signal: work.silence.signal,
      progress(percent) {
        work.silence.sign()
        progress.report(percent)
      },
      submission: work.submission,
      keep: (handle) => keepHandle(task, job, handle),
    }
    try {
      const handle = await startOnce(task, job, plan, context)
      const result = await untilAborted(engine.follow(handle, plan, context), context.signal)
      work.silence.stop()
      await finish(task, job, result)
    } finally {
      await progress.close()
    }
  }

  /** An engine that works elsewhere was told once already if there is a handle: it is followed, not paid again. */
  async function startOnce(task: TaskRow, job: Job, plan: Plan, context: FollowContext): Promise<Handle> {
    if (task.handle !== null) return JSON.parse(task.handle)
    const starting = engine.start(plan, context)
    const handle = await untilAborted(starting, context.signal).catch((error) => {
      // Nobody will know of a handle that comes too late.
      if (context.signal.aborted) starting.then((late) => stopUnlessTakenOver(task, job, late)).catch(() => {})
      throw error
    })
    await keepHandle(task, job, handle)
    return handle
  }

  async function keepHandle(task: TaskRow, job: Job, handle: Handle): Promise<void> {
    const kept = await deps.db.run('update tasks set handle = ? where id = ? and attempt = ? and state = ?', [
      JSON.stringify(handle),
      task.id,
      job.attempt,
      'generating',
    ])
    if (kept > 0) return
    await stopUnlessTakenOver(task, job, handle)
    throw new LeaseLostError('the task ended while the engine was starting')
  }

  async function finish(task: TaskRow, job: Job, result: EngineResult) {
    const video = await storeResult(deps, task, result)
    await deps.db.transaction(async (tx) => {
      await settleJob(deps.queue, tx, job)
      if (!(await succeedTask(deps, tx, task.id, job.attempt, video))) throw new LeaseLostError('the task has ended')
      const tokens = [video.video, video.thumbnail, video.lastFrame].map((file) => file.token)
      await setFileExpiry(tx, tokens, deps.clock.now() + deps.videoTtlMs)
    })
    deps.onAttempt(engine.name, 'success')
    deps.placement.report(engine.name, 'succeeded')
  }

  async function retryOrFail(task: TaskRow, job: Job, attempts: Attempts, error: unknown): Promise<'settled'> {
    // Whoever ended the task has stopped the engine, and that may be heard here before the end itself.
    if (!(await deps.db.transaction((tx) => deps.queue.holds(tx, job)))) return 'settled'
    const known = error instanceof EngineError ? error : null
    if (known?.blame !== 'task') deps.placement.report(engine.name, 'failed', (error as Error).message)
    if (known?.unavailable && attempts.unreached < unreachedMax) return await waitForEngine(task, job)
    const final = known !== null && !known.retryable
    if (final || Math.max(job.failures, attempts.failedOn.length) + 1 >= attemptsMax) {
      deps.log.warn({ err: error, task: task.id, engine: engine.name }, 'an engine failed a task')
      deps.onAttempt(engine.name, 'failed')
      const message = known?.message ?? outOfAttempts
      await failTaskOfJob(deps, job, { reason: known?.reason ?? 'engine_failed', message })
      return 'settled'
    }
    deps.onAttempt(engine.name, 'retried')
    await deps.db.transaction((tx) =>
      giveBack(deps, tx, task.id, failedNote(engine.name), { forgetHandle: true, attempt: job.attempt }),
    )
    throw error
  }

  /** Nothing was submitted: the task queues again without having lost an attempt. */
  async function waitForEngine(task: TaskRow, job: Job): Promise<'settled'> {
    deps.onAttempt(engine.name, 'retried')
    await deps.db.transaction(async (tx) => {
      await settleJob(deps.queue, tx, job)
      const note = unreachedNote(engine.name)
      await giveBack(deps, tx, task.id, note, { forgetHandle: true, attempt: job.attempt })
      const again = generateJob(task, engine.name, job.attempt)
      await deps.queue.enqueue(tx, [{ ...again, delayMs: unreachedDelayMs }])
    })
    return 'settled'
  }

  async function endSilent(job: Job): Promise<'settled'> {
    deps.onAttempt(engine.name, 'silent')
    deps.placement.report(engine.name, 'failed', 'it gave no sign')
    const message = `The generator gave no sign for ${formatDuration(deps.upstreamSilenceMs)}.`
    await failTaskOfJob(deps, job, { reason: 'upstream_silent', message }, abandonTask)
    return 'settled'
  }

  /** A worker that stops still has its job: the task waits with it for another worker. */
  async function leave(task: TaskRow, job: Job) {
    await deps.db.transaction(async (tx) => {
      if (!(await deps.queue.holds(tx, job))) return
      await giveBack(deps, tx, task.id, 'the worker stopped', { forgetHandle: false, attempt: job.attempt })
    })
  }

  /**
   * For a handle that came too late to be stored. Whoever took the task over was given the same work by an engine that
   * takes a submission only once, and still wants it.
   */
  async function stopUnlessTakenOver(task: TaskRow, job: Job, handle: Handle) {
    const isTakenOver = await deps.db.transaction(async (tx) => {
      if (await deps.queue.holds(tx, job)) return false
      const row = await tx.one<{ state: string }>('select state from tasks where id = ?', [task.id])
      return row !== undefined && row.state !== 'success' && row.state !== 'fail'
    })
    if (!isTakenOver) deps.stopEngine(engine.name, handle)
  }
}

/** Moves the task to `generating` under this attempt. Null when it has ended. */
async function begin(deps: GenerateDeps, job: Job): Promise<TaskRow | null> {
  const task = await deps.db.transaction(async (tx) => {
    // A worker that was stopped for a while and wakes up here must not take the task from whoever has the job now.
    if (!(await deps.queue.holds(tx, job))) throw new LeaseLostError('the job was taken over or removed')
    const generate = () => setGeneratingIfQueueing(tx, job.subject, job.attempt, deps.clock.now())
    const moved = await generate()
    if (moved) return moved
    // A task that is still `generating` lost its worker, and nobody has said so yet.
    await giveBack(deps, tx, job.subject, 'the worker was lost', { forgetHandle: false })
    return (await generate()) ?? null
  })
  if (task) deps.events.changed(job.subject)
  return task
}

export async function giveBack(
  deps: Pick<GenerateDeps, 'clock' | 'events'>,
  tx: Tx,
  taskId: string,
  note: string,
  options: { forgetHandle: boolean; attempt?: number },
): Promise<void> {
  if (!(await setQueueingIfGenerating(tx, taskId, options.attempt ?? null, note, deps.clock.now()))) return
  if (options.forgetHandle) await tx.run('update tasks set handle = null where id = ?', [taskId])
  tx.afterCommit(() => deps.events.changed(taskId))
}

async function storeResult(deps: GenerateDeps, task: TaskRow, result: EngineResult): Promise<StoredVideo> {
  const nowMs = deps.clock.now()
  const common = { account_id: task.account_id, task_id: task.id, expires_at: nowMs + reservedMs }
  const parts = [
    { purpose: 'video', name: 'video.mp4', mime: 'video/mp4', path: result.videoPath },
    { purpose: 'thumbnail', name: 'thumbnail.jpg', mime: 'image/jpeg', path: result.thumbnailPath },
    { purpose: 'frame', name: 'last-frame.jpg', mime: 'image/jpeg', path: result.lastFramePath },
  ] as const
  const sizes = await Promise.all(parts.map(async ({ path }) => (await stat(path)).size))
  const rows = await deps.db.transaction((tx) =>
    reserveFiles(
      tx,
      parts.map(({ path: _path, ...part }, i) => ({ ...common, ...part, bytes: sizes[i]! })),
      nowMs,
    ),
  )
  await Promise.all(rows.map((row, i) => deps.storage.put(row.storage_key, parts[i]!.path)))
  const [video, thumbnail, lastFrame] = rows.map(({ token, name }) => ({ token, name }))
  return {
    id: newId(nowMs),
    video: video!,
    thumbnail: thumbnail!,
    lastFrame: lastFrame!,
    width: result.width,
    height: result.height,
    seconds: result.seconds,
  }
}
