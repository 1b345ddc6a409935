// The requests to the task API of an upstream service. What their responses mean is in the mapping.
import { openAsBlob } from 'node:fs'
import { FormData } from 'undici'
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts'
import type { FollowContext } from '../engine.ts'
import { videoBytesMax } from '../remote/common-settings.ts'
import { downloadUrl } from '../remote/download-url.ts'
import { requireJob } from '../remote/failures.ts'
import { parseJson, type RemoteHttp, RemoteMisbehaved, RemoteUnreachable, tidyMsMax } from '../remote/http.ts'
import { Busy, type Polled, wait, whileBusy } from '../remote/poll.ts'
import { readCreated, readRecord, type UpstreamState } from './mapping.ts'
import type { UpstreamSettings } from './settings.ts'

type EndedState = Exclude<UpstreamState, { state: 'under way' }>

const uploadMsMax = 5 * 60_000
/** How many polls a stream of events stands for. */
const pollsPerStream = 60

export function createUpstreamClient(options: {
  name: string
  settings: UpstreamSettings
  http: RemoteHttp
  fetch: GuardedFetch
  /** Aborts when this process stops. */
  stopping?: AbortSignal | undefined
}) {
  const { name, settings, http, fetch, stopping } = options
  // A hosted service may have no events; then they are not requested again.
  let hasEvents = true

  async function uploadOnce(path: string, fileName: string, signal: AbortSignal): Promise<string | Busy> {
    const form = new FormData()
    form.append('file', await openAsBlob(path), fileName)
    const response = await http.call('POST', '/api/v1/files/upload', { form, signal, timeoutMs: uploadMsMax })
    if (response.status === 429 || response.status === 455) return new Busy(response)
    const url = (response.body as { data?: { downloadUrl?: unknown } } | undefined)?.data?.downloadUrl
    if (response.status === 200 && typeof url === 'string') return url
    if (response.status >= 500)
      throw new RemoteUnreachable(`it responded with ${response.status} to an upload`, { sent: false })
    throw new RemoteMisbehaved(`it responded with ${response.status} to an upload: ${response.text}`)
  }

  async function readOnce(taskId: string, signal: AbortSignal): Promise<UpstreamState> {
    const response = await http.call('GET', `/api/v1/jobs/recordInfo?taskId=${encodeURIComponent(taskId)}`, { signal })
    const { code, data } = (response.body ?? {}) as { code?: unknown; data?: unknown }
    const status = typeof code === 'number' ? code : response.status
    requireJob(name, status)
    const state = status === 200 ? readRecord(data) : null
    if (state === null) throw new RemoteMisbehaved(`it responded with ${status} instead of a record: ${response.text}`)
    return state
  }

  async function readEvents(
    taskId: string,
    signal: AbortSignal,
    progress: (percent: number) => void,
  ): Promise<EndedState | null> {
    let percent = 0
    const path = `/api/v1/jobs/events?taskId=${encodeURIComponent(taskId)}`
    for await (const line of http.lines(path, signal)) {
      const state = line.startsWith('data:') ? readRecord(parseJson(line.slice('data:'.length))) : null
      if (state !== null && state.state !== 'under way') return state
      // A comment that keeps the connection open is a heartbeat too.
      percent = state?.percent ?? percent
      progress(percent)
    }
    return null
  }

  return {
    /** The URL at which the upstream service keeps the file. */
    upload: (path: string, fileName: string, { signal, progress, waiting }: FollowContext) =>
      whileBusy(() => uploadOnce(path, fileName, signal), {
        engine: name,
        settings,
        signal,
        progress,
        waiting,
        stopping,
      }),
    async create(body: object, { submission, signal, waiting }: FollowContext): Promise<Polled<string>> {
      // Not aborted, like every submission: see `whileBusy`.
      const response = await http.call('POST', '/api/v1/jobs/createTask', {
        json: body,
        headers: { 'idempotency-key': submission },
      })
      const created = readCreated(name, response.status, response.body)
      if (created === null)
        throw new RemoteMisbehaved(`it responded with ${response.status} to createTask: ${response.text}`)
      if (created === 'busy') {
        waiting?.(new Busy(response).reason)
        await wait(Math.min(response.retryAfterS ?? 1, 30) * 1000, { signal, stopping })
        return { percent: 0 }
      }
      if ('failure' in created) throw created.failure
      return { done: created.taskId }
    },
    /** Follows the task by its events as far as the upstream service has them, else looks once. */
    async watch(taskId: string, signal: AbortSignal, progress: (percent: number) => void): Promise<Polled<EndedState>> {
      let isRefused = false
      if (hasEvents) {
        try {
          // A stream may stay open after its task was deleted, so the record itself is read from time to time.
          const turn = AbortSignal.timeout(settings.pollEvery * pollsPerStream)
          const ended = await readEvents(taskId, AbortSignal.any([signal, turn]), progress)
          if (ended !== null) return { done: ended }
        } catch (error) {
          signal.throwIfAborted()
          isRefused = error instanceof RemoteMisbehaved
        }
      }
      const state = await readOnce(taskId, signal)
      // Only now: a service that returns no record either is unreachable, or does not know the task.
      if (isRefused) hasEvents = false
      return state.state === 'under way' ? { percent: state.percent } : { done: state }
    },
    download: (url: string, toPath: string, signal: AbortSignal) =>
      downloadUrl(url, { http, fetch, toPath, bytesMax: videoBytesMax(settings), signal }),
    async cancel(taskId: string) {
      await http.call('POST', '/api/v1/jobs/cancelTask', { json: { taskId }, timeoutMs: tidyMsMax })
    },
    async probe(signal: AbortSignal) {
      const response = await http.call('GET', '/api/v1/account/credit', { signal })
      if (response.status === 401) throw new Error('it does not accept the key')
      if (response.status !== 200) throw new Error(`it responded with ${response.status}`)
    },
  }
}
