// The `generating` state: gives a task to its engine, follows it, and ends the task with what came back.
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db, Tx } from '../db/db.ts'
import type { TaskRow } from '../db/query-builder.ts'
import {
  type Engine,
  EngineError,
  type EngineResult,
  type FollowContext,
  type Handle,
  type Plan,
} from '../engines/engine.ts'
import { formatDuration } from '../platform/durations.ts'
import { newId } from '../platform/ids.ts'
import type { Logger } from '../platform/logger.ts'
import { untilAborted } from '../platform/until-aborted.ts'
import type { Job, JobHandler } from '../queue/queue.ts'
import { reserveFiles, setFileExpiry } from '../storage/files.ts'
import type { Storage } from '../storage/storage.ts'
import type { TaskFailure } from './failures.ts'
import { type FinishDeps, failTask, type StoredVideo, succeedTask } from './finish.ts'
import { LeaseLostError, settleJob } from './lease.ts'
import { setGeneratingIfQueueing, setQueueingIfGenerating } from './moves.ts'
import { createProgressWriter } from './progress.ts'
import { findTask } from './read.ts'
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
}

export const attemptsMax = 3
const outOfAttempts = `The video could not be generated in ${attemptsMax} attempts.`

/** Bytes that were stored for a task which then did not succeed are swept after this long. */
const reservedMs = 24 * 3_600_000

export function createGenerate(deps: GenerateDeps, engine: Engine): JobHandler {
  return async (job, leaseSignal) => {
    const task = await begin(deps, job)
    if (!task) return 'done'
    if (job.failures >= attemptsMax) {
      await endTask(task, job, { reason: 'engine_failed', message: outOfAttempts })
      return 'settled'
    }
    const workDir = join(deps.tempDir, `${task.id}-${job.attempt}`)
    await mkdir(workDir, { recursive: true })
    const silence = watchSilence(deps.upstreamSilenceMs, leaseSignal)
    try {
      await follow(task, job, { workDir, silence })
      return 'settled'
    } catch (error) {
      if (silence.expired) return await endSilent(task, job)
      if (leaseSignal.aborted || error instanceof LeaseLostError) {
        await cancelIfEnded(task.id)
        throw error
      }
      return await retryOrFail(task, job, error)
    } finally {
      silence.stop()
      await rm(workDir, { recursive: true, force: true })
    }
  }

  async function follow(task: TaskRow, job: Job, work: { workDir: string; silence: ReturnType<typeof watchSilence> }) {
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
      if (context.signal.aborted) starting.then(cancelQuietly, () => {})
      throw error
    })
    const kept = await deps.db.run('update tasks set handle = ? where id = ? and attempt = ? and state = ?', [
      JSON.stringify(handle),
      task.id,
      job.attempt,
      'generating',
    ])
    if (kept === 0) {
      await cancelQuietly(handle)
      throw new LeaseLostError('the task ended while the engine was starting')
    }
    return handle
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
  }

  async function retryOrFail(task: TaskRow, job: Job, error: unknown): Promise<'settled'> {
    const final = error instanceof EngineError && !error.retryable
    if (final || job.failures + 1 >= attemptsMax) {
      deps.log.warn({ err: error, task: task.id, engine: engine.name }, 'an engine failed a task')
      deps.onAttempt(engine.name, 'failed')
      const message = error instanceof EngineError ? error.message : outOfAttempts
      await endTask(task, job, { reason: 'engine_failed', message })
      return 'settled'
    }
    deps.onAttempt(engine.name, 'retried')
    await deps.db.transaction((tx) =>
      giveBack(deps, tx, task.id, 'the engine failed; tried again', { forgetHandle: true, attempt: job.attempt }),
    )
    throw error
  }

  async function endSilent(task: TaskRow, job: Job): Promise<'settled'> {
    deps.onAttempt(engine.name, 'silent')
    const message = `The generator gave no sign for ${formatDuration(deps.upstreamSilenceMs)}.`
    await endTask(task, job, { reason: 'upstream_silent', message })
    await cancelIfEnded(task.id)
    return 'settled'
  }

  /** Settling the job with it keeps a worker that lost its lease from ending what another one works on. */
  async function endTask(task: TaskRow, job: Job, failure: TaskFailure) {
    await deps.db.transaction(async (tx) => {
      await settleJob(deps.queue, tx, job)
      await failTask(deps, tx, task.id, failure)
    })
  }

  /** A task that was canceled or timed out needs no video any more; one that another worker took over still does. */
  async function cancelIfEnded(taskId: string) {
    const task = await findTask(deps.db, taskId)
    if (task?.handle && task.state === 'fail') await cancelQuietly(JSON.parse(task.handle))
  }

  async function cancelQuietly(handle: Handle) {
    await engine
      .cancel(handle)
      .catch((error) => deps.log.warn({ err: error, engine: engine.name }, 'an engine could not cancel'))
  }
}

/** Moves the task to `generating` under this attempt. Null when it is not waiting for an engine. */
async function begin(deps: GenerateDeps, job: Job): Promise<TaskRow | null> {
  const moved = await deps.db.transaction(async (tx) => {
    // A task that is still `generating` lost its worker, and nobody has said so yet.
    await giveBack(deps, tx, job.subject, 'the worker was lost', { forgetHandle: false })
    return setGeneratingIfQueueing(tx, job.subject, job.attempt, deps.clock.now())
  })
  if (!moved) return null
  deps.events.changed(job.subject)
  return (await findTask(deps.db, job.subject)) ?? null
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
  for (const [i, row] of rows.entries()) await deps.storage.put(row.storage_key, parts[i]!.path)
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
