// The public API for the views: the project's own client, signed in by the session's cookie, and what only a page needs.
import { Dailies } from '../../client/src/dailies.ts'
import { TaskFailed } from '../../client/src/errors.ts'
import type { TaskProgress } from '../../client/src/tasks/pace.ts'
import type { CreateTask, CreateTaskBody } from './api-types.ts'
import { noteRetry, noteTrouble } from './retries.ts'

/** Views show what went wrong and load again by themselves, so a failure is reported soon. */
const retries = 1

/** Marks requests of this page: the session's cookie counts only with it. */
export const consoleHeaders = { 'x-dailies-console': '1' }

/** The address of the service: the folder of this page. */
export const baseUrl = () => new URL('.', location.href).href.replace(/\/$/, '')

export class Api extends Dailies {
  /** `onSignedOut` is called when the service no longer knows this session. */
  constructor(onSignedOut: () => void) {
    super({
      baseUrl: baseUrl(),
      headers: consoleHeaders,
      retries,
      onRetry: noteRetry,
      async fetch(url, init) {
        const response = await globalThis.fetch(url, init).catch((error) => {
          if (!init.signal.aborted) noteTrouble()
          throw error
        })
        if (response.status === 401) onSignedOut()
        return response
      },
    })
  }

  /** Of a body that a form has put together: the service checks it. */
  create(body: CreateTaskBody, signal?: AbortSignal): Promise<string> {
    return this.createTask(body as unknown as CreateTask, { signal })
  }

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
  }

  /** Every matching entry, one JSON object per line. */
  async exportAudit(filter: Record<string, string | number | undefined>): Promise<string> {
    const given = Object.entries(filter).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    )
    const query = new URLSearchParams([['format', 'ndjson'], ...given])
    const response = await fetch(`${baseUrl()}/api/v1/operator/audit?${query}`, { headers: consoleHeaders })
    if (!response.ok) throw new Error(`The audit log could not be read (${response.status}).`)
    return response.text()
  }

  /** Reports every change until the task has ended, however it ended. */
  async follow(taskId: string, onChange: (task: TaskProgress) => void, signal: AbortSignal): Promise<void> {
    try {
      await this.wait(taskId, { onProgress: onChange, signal })
    } catch (error) {
      if (!(error instanceof TaskFailed)) throw error
    }
  }
}
