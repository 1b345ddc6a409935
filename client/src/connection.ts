// Requests to one service with one key: sending, reading the envelope, errors as types, and trying again.
// What is asked for is the business of the files beside this one.
import { DailiesError, errorOf } from './errors.ts'
import { delayBeforeTry, isWorthAnotherTry, type Repeat, readRetryAfter } from './retry.ts'
import { pause, startTimeLimit } from './time-limit.ts'

export type Body = string | Blob | FormData | ReadableStream<Uint8Array>

/** The part of `fetch` that is used. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: Body | null; signal: AbortSignal; duplex?: 'half' },
) => Promise<Response>

export interface DailiesOptions {
  /** Where the service is, such as `http://127.0.0.1:8080`. */
  baseUrl: string
  apiKey: string
  /** Used instead of the platform's own. */
  fetch?: Fetch
  /** How often a request is tried again when that makes sense; 4 if left out, 0 turns it off. */
  retries?: number
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
  method: 'GET' | 'POST' | 'DELETE'
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

export interface Answer {
  status: number
  header(name: string): string | null
  text: string
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

const retriesDefault = 4
const timeoutMsDefault = 30_000

export function createConnection(options: DailiesOptions): Connection {
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  if (!/^https?:\/\/./.test(baseUrl)) throw new TypeError('baseUrl must be an http or https URL')
  if (!options.apiKey) throw new TypeError('apiKey must be given')
  // Browsers want their fetch called as a function of the window.
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const authorization = { authorization: `Bearer ${options.apiKey}` }

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
    const response = await fetch(url, { ...init, signal })
    return { status: response.status, header: (name) => response.headers.get(name), text: await response.text() }
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
    const triesMax = 1 + (call.retries ?? options.retries ?? retriesDefault)
    for (let tries = 1; ; tries++) {
      try {
        return (await tryOnce(call, request)) as T
      } catch (error) {
        if (!(error instanceof DailiesError)) throw error
        error.tries = tries
        const delayMs = delayBeforeTry(tries, error.retryAfterMs, Math.random())
        if (tries >= triesMax || delayMs === null || !isWorthAnotherTry(error, call.repeat ?? 'always')) throw error
        await pause(delayMs, call.signal)
      }
    }
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
      throw answerError({
        status: response.status,
        header: (name) => response.headers.get(name),
        text: await response.text(),
      })
    },
  }
}

/** An abort is passed on as the caller's own reason; everything else that is not ours means that no answer came. */
export function asError(error: unknown, signal: AbortSignal | undefined, sentence: string | null): unknown {
  if (signal?.aborted) return signal.reason
  if (error instanceof DailiesError) return error
  const words = sentence ?? causeWords(error)
  return errorOf({ code: 0, message: `The service did not answer: ${words}`, cause: error })
}

/** Node says only "fetch failed" and keeps the reason inside. */
function causeWords(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } } | undefined)?.cause
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error))
}

function readAnswer(answer: Answer): unknown {
  if (answer.status < 200 || answer.status >= 300) throw answerError(answer)
  const body = parseJson(answer.text)
  if (body === undefined) throw errorOf({ code: 0, message: 'The answer is not from the service: it is not JSON.' })
  return body
}

export function answerError(answer: Answer): DailiesError {
  const body = parseJson(answer.text) as { msg?: unknown } | null | undefined
  return errorOf({
    code: answer.status,
    message: typeof body?.msg === 'string' ? body.msg : `The service answered with status ${answer.status}.`,
    requestId: answer.header('x-request-id'),
    retryAfterMs: readRetryAfter(answer.header('retry-after'), Date.now()),
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function queryText(query: Call['query']): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** One part of a path, whatever characters it has. */
export const pathPart = (text: string): string => encodeURIComponent(text)
