// The public API by the names that the views use: the project's own client, signed in by the session's cookie.
import type {
  DeliveryState,
  ExtendTask,
  KeyChanges,
  NewSubKey,
  ResendDeliveries,
  UploadedFile,
} from '../../client/src/contract.ts'
import { Dailies } from '../../client/src/dailies.ts'
import { DailiesError, TaskFailed } from '../../client/src/errors.ts'
import type { TaskProgress } from '../../client/src/tasks/pace.ts'
import type { CreateTaskBody, ModelInfo, TaskRecord, TaskState, Understood } from './api-types.ts'
import { noteRetry } from './retries.ts'

/** What went wrong; `code` is the contract's, or 0 when there was no response. */
export { DailiesError as ApiProblem } from '../../client/src/errors.ts'

export interface TaskFilter {
  limit: number
  cursor?: string | undefined
  state?: TaskState | undefined
  model?: string | undefined
  q?: string | undefined
  key?: string | undefined
  since?: number | undefined
  until?: number | undefined
}

export interface AuditFilter {
  actor?: string | undefined
  action?: string | undefined
  since?: number | undefined
}

export interface AllTasksFilter {
  account?: string | undefined
  q?: string | undefined
  state?: TaskState | undefined
}

export type Api = ReturnType<typeof createApi>

/** Views show what went wrong and load again by themselves, so a failure is reported soon. */
const retries = 1

/** Marks requests of this page: the session's cookie counts only with it. */
export const consoleHeaders = { 'x-dailies-console': '1' }

/** `onSignedOut` is called when the service no longer knows this session. */
export function createApi(onSignedOut: () => void) {
  const client = new Dailies({
    baseUrl: baseUrl(),
    headers: consoleHeaders,
    retries,
    onRetry: noteRetry,
    async fetch(url, init) {
      const response = await globalThis.fetch(url, init)
      if (response.status === 401) onSignedOut()
      return response
    },
  })
  return {
    models: async () => (await client.models()) as ModelInfo[],
    createTask: (body: CreateTaskBody, signal?: AbortSignal) =>
      client.createTask(body as unknown as Parameters<Dailies['createTask']>[0], { signal }),
    /** What an engine would read from a prompt; null where the service cannot say. */
    async explain(body: { prompt: string; negative_prompt?: string; model: string }, signal: AbortSignal) {
      const response = await fetch(`${baseUrl()}/api/v1/prompts/explain`, {
        method: 'POST',
        headers: { ...consoleHeaders, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      })
      return response.ok ? ((await response.json()).data as Understood) : null
    },
    /** A small copy of a picture elsewhere, fetched by the service under its own rules. */
    async preview(url: string): Promise<Blob> {
      const response = await fetch(`${baseUrl()}/api/v1/files/preview`, {
        method: 'POST',
        headers: { ...consoleHeaders, 'content-type': 'application/json' },
        body: JSON.stringify({ url }),
      })
      if (response.ok) return response.blob()
      const { msg } = await response.json().catch(() => ({}))
      throw new Error(msg ?? 'The service did not respond with a picture.')
    },
    extend: (body: { taskId: string; prompt: string; duration?: string }) => client.extend(body as ExtendTask),
    getTask: (taskId: string, signal?: AbortSignal) => client.getTask(taskId, { signal }),
    getVideo: (taskId: string, signal?: AbortSignal) => client.getVideo(taskId, { signal }),
    listTasks: ({ cursor, ...filter }: TaskFilter, signal: AbortSignal) =>
      client.list({ ...given(filter), signal }).page(cursor ?? null),
    timeline: (taskId: string) => client.timeline(taskId),
    cancel: (taskId: string) => client.cancel(taskId),
    deleteTask: (taskId: string) => client.deleteTask(taskId),
    share: (taskId: string, expiresAt: number | null) => client.shares.create(taskId, { expiresAt }),
    shares: (taskId: string) => client.shares.list(taskId),
    revokeShare: (taskId: string, id: string) => client.shares.revoke(taskId, id),
    status: () => client.status(),
    credit: () => client.credit(),
    ledger: ({ cursor, ...filter }: { limit: number; cursor?: string | undefined; taskId?: string }) =>
      client.ledger(filter).page(cursor ?? null),
    usage: (days: number) => client.usage({ days }),
    keys: () => client.keys.list(),
    createKey: (key: NewSubKey) => client.keys.create(key),
    updateKey: (id: string, changes: KeyChanges) => client.keys.update(id, changes),
    rotateKey: (id: string) => client.keys.rotate(id),
    revokeKey: (id: string) => client.keys.revoke(id),
    deliveries: ({
      cursor,
      ...filter
    }: {
      limit: number
      cursor?: string | undefined
      state?: DeliveryState | undefined
      url?: string | undefined
    }) => client.webhooks.deliveries(given(filter)).page(cursor ?? null),
    delivery: (id: string) => client.webhooks.delivery(id),
    resend: (id: string) => client.webhooks.resend(id),
    resendMany: (which: ResendDeliveries) => client.webhooks.resendMany(which),
    sendTest: (url: string) => client.webhooks.test(url),
    secret: () => client.webhooks.secret(),
    rotateSecret: () => client.webhooks.rotateSecret(),
    operatorStatus: () => client.operator.status(),
    setMaintenance: (on: boolean) => client.operator.setMaintenance(on),
    setFeature: (name: string, enabled: boolean) => client.operator.setFeature(name, enabled),
    accounts: () => client.operator.accounts(),
    audit: ({ cursor, ...filter }: AuditFilter & { limit: number; cursor?: string | undefined }) =>
      client.operator.audit(given(filter)).page(cursor ?? null),
    /** Every matching entry, one JSON object per line. */
    async exportAudit(filter: AuditFilter): Promise<string> {
      const query = new URLSearchParams({ format: 'ndjson' })
      for (const [name, value] of Object.entries(given(filter))) query.set(name, String(value))
      const response = await fetch(`${baseUrl()}/api/v1/operator/audit?${query}`, { headers: consoleHeaders })
      if (!response.ok) throw new Error(`The audit log could not be read (${response.status}).`)
      return response.text()
    },
    createAccount: (account: { name: string; credits: number }) => client.operator.createAccount(account),
    accountKeys: (name: string) => client.operator.accountKeys(name),
    revokeAccountKey: (name: string, id: string) => client.operator.revokeAccountKey(name, id),
    allTasks: ({ cursor, ...filter }: AllTasksFilter & { limit: number; cursor?: string | undefined }) =>
      client.operator.tasks(given(filter)).page(cursor ?? null),
    engineHistory: (hours: number) => client.operator.engineHistory({ hours }),
    grant: (name: string, credits: number) => client.operator.grant(name, credits),
    upload(file: File, options: { onProgress(share: number): void; signal: AbortSignal }): Promise<UploadedFile> {
      const onProgress = ({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number }) =>
        options.onProgress(totalBytes === 0 ? 1 : sentBytes / totalBytes)
      return client.upload(file, { onProgress, signal: options.signal })
    },
    /** Reports every change until the task has ended, however it ended. */
    async follow(taskId: string, onChange: (task: TaskProgress) => void, signal: AbortSignal): Promise<void> {
      try {
        await client.wait(taskId, { onProgress: onChange, signal })
      } catch (error) {
        if (!(error instanceof TaskFailed)) throw error
      }
    },
  }
}

/** The address of the service: the folder of this page. */
export const baseUrl = () => new URL('.', location.href).href.replace(/\/$/, '')

/** Without the fields that are undefined or empty. */
function given<Filter extends object>(filter: Filter): { [Name in keyof Filter]: Exclude<Filter[Name], undefined> } {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof given<Filter>
  >
}

export const isProblem = (error: unknown): error is DailiesError => error instanceof DailiesError

export type { TaskRecord }
