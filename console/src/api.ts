// Talks to the public API with one key. Owns requests, their errors and the reading of event streams; keeps no state.
import type {
  AccountInfo,
  CreateTaskBody,
  Delivery,
  DeliveryState,
  ExtendBody,
  LedgerEntry,
  ModelInfo,
  NewSubKey,
  OperatorStatus,
  Page,
  SubKey,
  TaskRecord,
  TaskState,
  TimelineMove,
  UploadedFile,
  Usage,
  VideoRecord,
  WebhookSecret,
} from './api-types.ts'
import { uploadFile } from './upload.ts'

export class ApiProblem extends Error {
  /** The contract's code; 0 when no answer came at all. */
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export interface TaskFilter {
  limit: number
  cursor?: string | undefined
  state?: TaskState | undefined
  model?: string | undefined
}

export type Api = ReturnType<typeof createApi>

export function createApi(key: string) {
  const authorization = { authorization: `Bearer ${key}` }

  async function call(
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ) {
    const hasBody = options.body !== undefined
    const response = await fetch(path, {
      method,
      headers: { ...authorization, ...(hasBody ? { 'content-type': 'application/json' } : {}), ...options.headers },
      body: hasBody ? JSON.stringify(options.body) : null,
      signal: options.signal ?? null,
    }).catch((error) => {
      if (error.name === 'AbortError') throw error
      throw new ApiProblem(0, 'The service does not answer.')
    })
    const answer = await response.json().catch(() => null)
    if (!response.ok)
      throw new ApiProblem(answer?.code ?? response.status, answer?.msg ?? `The service answered ${response.status}.`)
    return answer
  }
  const get = async <Data>(
    path: string,
    query: Record<string, string | number | undefined> = {},
    signal?: AbortSignal,
  ) => (await call('GET', path + queryText(query), signal ? { signal } : {})).data as Data
  const post = async <Data>(path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
    (await call('POST', path, { body, headers })).data as Data
  const remove = async <Data>(path: string) => (await call('DELETE', path)).data as Data

  return {
    models: () => get<ModelInfo[]>('/v1/models'),
    createTask: (body: CreateTaskBody, idempotencyKey: string) =>
      post<{ taskId: string }>('/api/v1/jobs/createTask', body, { 'idempotency-key': idempotencyKey }),
    extend: (body: ExtendBody, idempotencyKey: string) =>
      post<{ taskId: string }>('/api/v1/video/extend', body, { 'idempotency-key': idempotencyKey }),
    getTask: (taskId: string, signal?: AbortSignal) => get<TaskRecord>('/api/v1/jobs/recordInfo', { taskId }, signal),
    getVideo: (taskId: string, signal?: AbortSignal) =>
      get<VideoRecord>('/api/v1/video/recordInfo', { taskId }, signal),
    listTasks: (filter: TaskFilter, signal?: AbortSignal) =>
      get<Page<TaskRecord>>('/api/v1/jobs/list', { ...filter }, signal),
    timeline: (taskId: string) => get<{ items: TimelineMove[] }>('/api/v1/jobs/timeline', { taskId }),
    cancel: (taskId: string) => post<{ taskId: string; state: TaskState }>('/api/v1/jobs/cancelTask', { taskId }),
    deleteTask: (taskId: string) => remove<{ taskId: string }>(`/api/v1/jobs/${encodeURIComponent(taskId)}`),
    credit: () => get<number>('/api/v1/account/credit'),
    ledger: (query: { limit: number; cursor?: string | undefined; taskId?: string | undefined }) =>
      get<Page<LedgerEntry>>('/api/v1/account/ledger', query),
    usage: (days: number) => get<Usage>('/api/v1/account/usage', { days }),
    keys: () => get<{ items: SubKey[] }>('/api/v1/keys'),
    createKey: (body: NewSubKey) => post<{ id: string; key: string }>('/api/v1/keys', body),
    rotateKey: (id: string) => post<{ id: string; key: string }>(`/api/v1/keys/${id}/rotate`),
    revokeKey: (id: string) => remove<{ id: string }>(`/api/v1/keys/${id}`),
    deliveries: (query: { limit: number; cursor?: string | undefined; state?: DeliveryState | undefined }) =>
      get<Page<Delivery>>('/api/v1/webhooks/deliveries', query),
    resend: (id: string) => post<{ id: string; state: DeliveryState }>(`/api/v1/webhooks/deliveries/${id}/resend`),
    secret: () => get<WebhookSecret>('/api/v1/webhooks/secret'),
    rotateSecret: () => post<WebhookSecret>('/api/v1/webhooks/secret/rotate'),
    operatorStatus: () => get<OperatorStatus>('/api/v1/operator/status'),
    setMaintenance: (on: boolean) => post('/api/v1/operator/maintenance', { on }),
    setFeature: (name: string, enabled: boolean) => post('/api/v1/operator/features', { name, enabled }),
    accounts: () => get<{ items: AccountInfo[] }>('/api/v1/operator/accounts'),
    grant: (name: string, credits: number) =>
      post<{ name: string; balance: number }>(`/api/v1/operator/accounts/${encodeURIComponent(name)}/credit`, {
        credits,
      }),
    upload: (file: File, options: { onProgress(share: number): void; signal: AbortSignal }): Promise<UploadedFile> =>
      uploadFile(key, file, options),
    async *events(taskId: string, signal: AbortSignal): AsyncGenerator<TaskRecord> {
      const response = await fetch(`/api/v1/jobs/events${queryText({ taskId })}`, { headers: authorization, signal })
      if (!response.ok || !response.body)
        throw new ApiProblem(response.status, 'The events of this task cannot be read.')
      yield* readRecords(response.body)
    },
  }
}

async function* readRecords(body: ReadableStream<Uint8Array>): AsyncGenerator<TaskRecord> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let buffered = ''
  try {
    while (true) {
      const { done, value } = await reader.read()
      if (done) return
      const parts = (buffered + value).split('\n\n')
      buffered = parts.pop() ?? ''
      for (const part of parts) {
        const data = /^data: (.*)$/m.exec(part)?.[1]
        if (data) yield JSON.parse(data) as TaskRecord
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function queryText(query: Record<string, string | number | undefined>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`
}
