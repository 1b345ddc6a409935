// An engine that is any service with this same task API: a hosted vendor, or another Dailies. Input files are uploaded to
// the upstream service, so that it needs no way back to us; its video is copied here.
import { basename, join } from 'node:path'
import type { VideoModel } from '../../models/model.ts'
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts'
import { type Engine, EngineError, type FollowContext, type Handle, type Plan } from '../engine.ts'
import { remoteFailure, submissionFailure } from '../remote/failures.ts'
import { createRemoteHttp } from '../remote/http.ts'
import { type Normaliser, normaliseBase } from '../remote/normaliser.ts'
import { poll } from '../remote/poll.ts'
import { createUpstreamClient } from './client.ts'
import { failureOf, inputFilesOf, wireRequest } from './mapping.ts'
import type { UpstreamSettings } from './settings.ts'

interface UpstreamOptions {
  name: string
  settings: UpstreamSettings
  normaliser: Normaliser
  /** For files that the upstream service keeps at another address, which is not trusted. */
  fetch: GuardedFetch
  /** Undefined where the model is no longer served. */
  modelOf(id: string): VideoModel | undefined
  /** Aborts when this process stops. */
  stopping?: AbortSignal
}

const downloadedPercent = 98

export function createUpstream(options: UpstreamOptions): Engine {
  const { name, settings, normaliser } = options
  const http = createRemoteHttp(settings.url, settings.key)
  const client = createUpstreamClient({ name, settings, http, fetch: options.fetch, stopping: options.stopping })

  /**
   * A repeat after a crash gets the same task from the upstream service: the handle holds the URLs of the uploaded files,
   * so the body is identical.
   */
  async function createOnce(handle: Handle, plan: Plan, context: FollowContext): Promise<string> {
    if (typeof handle.taskId === 'string') return handle.taskId
    const urls = JSON.parse(String(handle.urls)) as Record<string, string>
    const model = options.modelOf(plan.model)
    if (!model)
      throw new EngineError(`The model ${plan.model} is no longer served.`, { retryable: false, blame: 'engine' })
    const input = model.toWire(wireRequest(plan, ({ file }) => urls[file]!))
    const body = { model: settings.model ?? plan.model, input }
    try {
      const taskId = await poll(() => client.create(body, context), limits(context, null))
      await context.keep({ taskId })
      return taskId
    } finally {
      context.waiting?.(null)
    }
  }

  const limits = (context: FollowContext, taskId: string | null) => ({
    engine: name,
    settings,
    signal: context.signal,
    stopping: options.stopping,
    progress: context.progress,
    overdue: async () => {
      if (taskId !== null) await client.cancel(taskId)
    },
  })

  async function fetchVideo(taskId: string, context: FollowContext): Promise<string> {
    const toPath = join(context.workDir, 'downloaded')
    const watch = (looking: AbortSignal) => client.watch(taskId, looking, (percent) => context.progress(percent))
    const ended = await poll(watch, limits(context, taskId))
    if (ended.state === 'fail') throw failureOf(name, ended)
    const download = async () => {
      await client.download(ended.videoUrl, toPath, context.signal)
      return { done: toPath }
    }
    return poll(download, limits(context, taskId))
  }

  return {
    name,
    // Uploads the input files. That costs nothing there, so a failure here costs the task no attempt.
    async start(plan, context) {
      try {
        const urls: Record<string, string> = {}
        for (const { file } of inputFilesOf(plan)) {
          const path = await context.localPath(file)
          urls[file] = await client.upload(path, basename(path), context)
        }
        return { urls: JSON.stringify(urls) }
      } catch (error) {
        throw submissionFailure(name, error)
      }
    },
    async follow(handle, plan, context) {
      try {
        const taskId = await createOnce(handle, plan, context)
        const path = await fetchVideo(taskId, context)
        context.progress(downloadedPercent)
        return await normaliser.run(
          name,
          {
            ...normaliseBase(plan),
            workDir: context.workDir,
            clips: [{ paths: [path], fps: 24, seconds: plan.seconds }],
            // A Dailies service has normalised its video already.
            mode: 'copy',
          },
          { signal: context.signal, progress: () => context.progress(downloadedPercent) },
        )
      } catch (error) {
        throw remoteFailure(name, error)
      }
    },
    async cancel(handle) {
      if (typeof handle.taskId === 'string') await client.cancel(handle.taskId)
    },
    probe: (signal) => client.probe(signal),
    close: () => http.close(),
  }
}
