// Requests to one service with one key: sending, reading the envelope, errors as types, and trying again.
// What is asked for is the business of the files beside this one.
import { type Answer, answerError, asError, readAnswer, toAnswer } from './answers.ts'
import { type Retry, withRetries } from './attempts.ts'
import type { Repeat } from './retry.ts'
import { startTimeLimit } from './time-limit.ts'

export type Body = string | Blob | FormData | ReadableStream<Uint8Array>

/** The part of `fetch` that is used. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: Body | null; signal: AbortSignal; duplex?: 'half' },
) => Promise<Response>

export interface DailiesOptions {
  /** Where the service is; `DAILIES_URL` or `http://127.0.0.1:8080` if left out. */
  baseUrl?: string
  /** `DAILIES_KEY` (or `DAILIES_API_KEY`) if left out. */
  apiKey?: string
  /** Sent with every request. A page that the service has signed in gives these instead of a key. */
  headers?: Record<string, string>
  /** Used instead of the platform's own. */
  fetch?: Fetch
  /** How often a request is tried again when that makes sense; 4 if left out, 0 turns it off. */
  retries?: number
  /** Called when a request waits to be tried again. */
  onRetry?: (retry: Retry) => void
  /** How long one try may take; 30 seconds if left out. Uploads, downloads and inference have longer limits. */
  timeoutMs?: number
}

export interface RequestOptions {
  signal?: AbortSignal | undefined
}

export interface CreateOptions extends RequestOptions {
  /** Made for you if left out. Give your own to make a request that survives a restart of your program once only. */
  idempotencyKey?: string | undefined
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  query?: Record<string, string | number | null | undefined>
  json?: unknown
  headers?: Record<string, string>
  repeat?: Repeat
  retries?: number
  timeoutMs?: number
  signal?: AbortSignal | undefined
  /** Sends one try in another way than by `fetch`. */
  send?: (request: PreparedRequest, signal: AbortSignal) => Promise<Answer>
}

export interface PreparedRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string | null
}

export interface Connection {
  readonly fetch: Fetch
  /** The `data` of the answer. */
  call<T>(call: Call): Promise<T>
  /** The whole answer, of routes without an envelope. */
  callPlain<T>(call: Call): Promise<T>
  /** One try at an open response, for streams. The caller reads and ends it. */
  open(path: string, signal: AbortSignal): Promise<Response>
}

const baseUrlDefault = 'http://127.0.0.1:8080'
const retriesDefault = 4
const timeoutMsDefault = 30_000

export function createConnection(options: DailiesOptions): Connection {
  const baseUrl = (options.baseUrl ?? environment('DAILIES_URL') ?? baseUrlDefault).replace(/\/+$/, '')
  if (!/^https?:\/\/./.test(baseUrl)) throw new TypeError('baseUrl must be an http or https URL')
  const apiKey = options.apiKey ?? environment('DAILIES_KEY') ?? environment('DAILIES_API_KEY')
  if (!apiKey && !options.headers) throw new TypeError('apiKey must be given, or DAILIES_KEY set')
  // Browsers want their fetch called as a function of the window.
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const authorization = { ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}), ...options.headers }

  function prepare(call: Call): PreparedRequest {
    const hasJson = call.json !== undefined
    return {
      method: call.method,
      url: baseUrl + call.path + queryText(call.query),
      headers: { ...authorization, ...(hasJson ? { 'content-type': 'application/json' } : {}), ...call.headers },
      body: hasJson ? JSON.stringify(call.json) : null,
    }
  }

  async function sendByFetch(request: PreparedRequest, signal: AbortSignal): Promise<Answer> {
    const { url, ...init } = request
    return toAnswer(await fetch(url, { ...init, signal }))
  }

  async function tryOnce(call: Call, request: PreparedRequest): Promise<unknown> {
    const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? timeoutMsDefault
    const limit = startTimeLimit(timeoutMs, call.signal)
    try {
      return readAnswer(await (call.send ?? sendByFetch)(request, limit.signal))
    } catch (error) {
      throw asError(error, call.signal, limit.expired() ? `no answer within ${timeoutMs / 1000} s` : null)
    } finally {
      limit.clear()
    }
  }

  async function callPlain<T>(call: Call): Promise<T> {
    const request = prepare(call)
    const max = 1 + (call.retries ?? options.retries ?? retriesDefault)
    const tries = { max, repeat: call.repeat ?? 'always', signal: call.signal, onRetry: options.onRetry }
    return (await withRetries(tries, () => tryOnce(call, request))) as T
  }

  return {
    fetch,
    callPlain,
    async call<T>(call: Call) {
      return (await callPlain<{ data: T }>(call)).data
    },
    async open(path, signal) {
      const response = await fetch(baseUrl + path, {
        method: 'GET',
        headers: { ...authorization, accept: 'text/event-stream' },
        signal,
      })
      if (response.ok) return response
      throw answerError(await toAnswer(response))
    },
  }
}

/** Browsers have no environment. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name] || undefined
}

function queryText(query: Call['query']): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** One part of a path, whatever characters it has. */
export const pathPart = (text: string): string => encodeURIComponent(text)
