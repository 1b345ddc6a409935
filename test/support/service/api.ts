// A bare HTTP client for tests: it sends what it is given, and hides nothing of what comes back.
import { hide, hideRequest } from './kept-log.ts'

export interface Answer {
  status: number
  statusText: string
  headers: Headers
  text: string
  /** The envelope, if the response is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

export interface CallOptions {
  headers?: Record<string, string>
  /** Sent as it is, instead of `body` as JSON. */
  raw?: string | Uint8Array
}

export interface Api {
  get(path: string, options?: CallOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  patch(path: string, body: unknown, options?: CallOptions): Promise<Answer>
  delete(path: string, options?: CallOptions): Promise<Answer>
  /** Creates a task and returns its id; fails when it is not accepted. */
  createTask(prompt?: string, input?: object): Promise<string>
  /** The unified record. */
  record(taskId: string): Promise<Record<string, unknown>>
  /** Follows the task's events until it is in one of the states. */
  until(taskId: string, states: string[], withinMs?: number): Promise<Record<string, unknown>>
}

export const variantA = 'videomodel/v2-5-turbo-image-to-video-pro'
export const variantB = 'videomodel-3.0-omni/image-to-video'

export function taskBody(prompt = 'a boat', input: object = {}): { model: string; input: Record<string, unknown> } {
  return { model: variantA, input: { prompt, image_url: 'http://127.0.0.1:9/a.png', ...input } }
}

export function createApi(url: string, key: string | null): Api {
  hide(key)
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }

  async function call(method: string, path: string, options: CallOptions & { json?: unknown } = {}): Promise<Answer> {
    const hasJson = options.json !== undefined
    hideRequest(options.json)
    const response = await fetch(url + path, {
      method,
      headers: { ...authorization, ...(hasJson ? { 'content-type': 'application/json' } : {}), ...options.headers },
      body: hasJson ? JSON.stringify(options.json) : ((options.raw as string | undefined) ?? null),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const { status, statusText, headers } = response
    return { status, statusText, headers, text, body: isJson ? JSON.parse(text) : undefined }
  }

  const api: Api = {
    get: (path, options) => call('GET', path, options),
    post: (path, body, options) => call('POST', path, { ...options, json: body }),
    patch: (path, body, options) => call('PATCH', path, { ...options, json: body }),
    delete: (path, options) => call('DELETE', path, options),
    async createTask(prompt, input) {
      const answer = await api.post('/api/v1/jobs/createTask', taskBody(prompt, input))
      if (answer.status !== 200) throw new Error(`createTask responded with ${answer.text}`)
      return answer.body.data.taskId
    },
    async record(taskId) {
      return (await api.get(`/api/v1/jobs/recordInfo?taskId=${taskId}`)).body.data
    },
    async until(taskId, states, withinMs = 30_000) {
      const signal = AbortSignal.timeout(withinMs)
      let seen: unknown = 'nothing'
      try {
        const response = await fetch(`${url}/api/v1/jobs/events?taskId=${taskId}`, { headers: authorization, signal })
        for await (const event of readEvents(response)) {
          if (states.includes(event.data.state as string)) return event.data
          seen = event.data.state
        }
      } catch (error) {
        if (!signal.aborted) throw error
        const answer = await call('GET', `/api/v1/jobs/timeline?taskId=${taskId}`)
        throw new Error(`not ${states.join(' or ')} within ${withinMs} ms; the last event was ${seen}: ${answer.text}`)
      }
      throw new Error(`the task ended before it was ${states.join(' or ')}`)
    },
  }
  return api
}

export interface ServerSentEvent {
  event: string
  data: Record<string, unknown>
}

export async function* readEvents(response: Response): AsyncGenerator<ServerSentEvent> {
  let buffered = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const parts = (buffered + chunk).split('\n\n')
    buffered = parts.pop()!
    for (const part of parts) {
      const event = /^event: (.*)$/m.exec(part)?.[1]
      const data = /^data: (.*)$/m.exec(part)?.[1]
      if (event && data) yield { event, data: JSON.parse(data) }
    }
  }
}
