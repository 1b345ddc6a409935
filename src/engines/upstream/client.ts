// The requests to the task API of an upstream service. What their responses mean is in the mapping.
import { openAsBlob } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { FormData } from 'undici'
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts'
import type { FollowContext } from '../engine.ts'
import { videoBytesMax } from '../remote/common-settings.ts'
import { downloadUrl } from '../remote/download-url.ts'
import { forgotten } from '../remote/failures.ts'
import { type RemoteHttp, RemoteMisbehaved, RemoteUnreachable } from '../remote/http.ts'
import { type Polled, whileBusy } from '../remote/poll.ts'
import { type CreateBody, readCreated, readRecord, type UpstreamState } from './mapping.ts'
import type { UpstreamSettings } from './settings.ts'

export type EndedState = Exclude<UpstreamState, { state: 'under way' }>

export interface UpstreamClient {
  /** The URL at which the upstream service keeps the file. */
  upload(path: string, fileName: string, context: FollowContext): Promise<string>
  create(body: CreateBody, idempotencyKey: string, signal: AbortSignal): Promise<Polled<string>>
  /** Follows the task by its events as far as the upstream service has them, else looks once. */
  watch(taskId: string, signal: AbortSignal, progress: (percent: number) => void): Promise<Polled<EndedState>>
  download(url: string, toPath: string, signal: AbortSignal): Promise<void>
  cancel(taskId: string): Promise<void>
  probe(signal: AbortSignal): Promise<void>
}

const busyRetryMs = 2_000
const uploadMsMax = 5 * 60_000
const cancelMsMax = 10_000
/** How many polls a stream of events stands for. */
const pollsPerStream = 60

export function createUpstreamClient(options: {
  name: string
  settings: UpstreamSettings
  http: RemoteHttp
  fetch: GuardedFetch
}): UpstreamClient {
  const { name, settings, http, fetch } = options
  // A hosted service may have no events; once it said so, it is not asked again.
  let hasEvents = true

  async function uploadOnce(path: string, fileName: string, signal: AbortSignal): Promise<string | 'busy'> {
    const form = new FormData()
    form.append('file', await openAsBlob(path), fileName)
    const response = await http.call('POST', '/api/v1/files/upload', { form, signal, timeoutMs: uploadMsMax })
    if (response.status === 429 || response.status === 455) return 'busy'
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
    if (status === 404) throw forgotten(name)
    if (status >= 500 || status === 429) throw new RemoteUnreachable(`it responded with ${status}`, { sent: true })
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
      const state = line.startsWith('data:') ? readRecord(parse(line.slice('data:'.length))) : null
      if (state !== null && state.state !== 'under way') return state
      // A comment that keeps the connection open is a heartbeat too.
      percent = state?.percent ?? percent
      progress(percent)
    }
    return null
  }

  return {
    upload: (path, fileName, context) =>
      whileBusy(() => uploadOnce(path, fileName, context.signal), {
        ...{ engine: name, jobMsMax: settings.jobTime, retryMs: busyRetryMs },
        ...{ signal: context.signal, progress: context.progress },
      }),
    async create(body, idempotencyKey, signal) {
      // Not broken off, like every submission: see `whileBusy`.
      const response = await http.call('POST', '/api/v1/jobs/createTask', {
        json: body,
        headers: { 'idempotency-key': idempotencyKey },
      })
      const created = readCreated(name, response.status, response.body)
      if (created === null)
        throw new RemoteMisbehaved(`it responded with ${response.status} to createTask: ${response.text}`)
      if (created === 'busy') {
        await sleep(Math.min(response.retryAfterS ?? 1, 30) * 1000, undefined, { signal })
        return { percent: 0 }
      }
      if ('failure' in created) throw created.failure
      return { done: created.taskId }
    },
    async watch(taskId, signal, progress) {
      if (hasEvents) {
        try {
          // A stream may stay open after its task was deleted, so the record itself is read from time to time.
          const turn = AbortSignal.timeout(settings.pollEvery * pollsPerStream)
          const ended = await readEvents(taskId, AbortSignal.any([signal, turn]), progress)
          if (ended !== null) return { done: ended }
        } catch (error) {
          signal.throwIfAborted()
          if (error instanceof RemoteMisbehaved) hasEvents = false
        }
      }
      const state = await readOnce(taskId, signal)
      return state.state === 'under way' ? { percent: state.percent } : { done: state }
    },
    async download(url, toPath, signal) {
      await downloadUrl(url, { http, fetch, toPath, bytesMax: videoBytesMax(settings), signal })
    },
    async cancel(taskId) {
      await http.call('POST', '/api/v1/jobs/cancelTask', {
        json: { taskId },
        signal: AbortSignal.timeout(cancelMsMax),
      })
    },
    async probe(signal) {
      const response = await http.call('GET', '/api/v1/account/credit', { signal })
      if (response.status === 401) throw new Error('it does not accept the key')
      if (response.status !== 200) throw new Error(`it responded with ${response.status}`)
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
