// HTTP to one server whose address the operator configured. The address is trusted, also a private one; its responses are
// not: each has a limit in bytes and time, nothing is decompressed, and no redirect is followed.
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, buildConnector, type FormData, request } from 'undici'
import { bodyToFile, DiskError } from '../../outbound/fetch-body.ts'
import { FetchFailure } from '../../outbound/fetch-failure.ts'
import { httpGet } from '../../outbound/http-get.ts'
import { traceHeaders } from '../../tracing/trace-context.ts'

export interface RemoteResponse {
  status: number
  /** Parsed JSON; undefined when the body is not JSON. */
  body: unknown
  /** The beginning of the body, for messages. */
  text: string
  retryAfterS: number | null
}

export interface CallOptions {
  /** Left out where the call must not be aborted; its time is limited anyway. */
  signal?: AbortSignal
  json?: unknown
  form?: FormData
  headers?: Record<string, string>
  /** Default 30 s. */
  timeoutMs?: number
  /** Default 1 MiB. */
  bytesMax?: number
}

export interface RemoteHttp {
  readonly origin: string
  call(method: 'GET' | 'POST' | 'DELETE', path: string, options: CallOptions): Promise<RemoteResponse>
  /** Downloads a path, or a URL of this server, to a file, which is deleted on failure. */
  download(path: string, options: DownloadOptions): Promise<void>
  /** The lines of a stream of server-sent events, as they come. */
  lines(path: string, signal: AbortSignal): AsyncGenerator<string, void, undefined>
  close(): Promise<void>
}

export interface DownloadOptions {
  toPath: string
  bytesMax: number
  signal: AbortSignal
}

/** The server could not be reached, broke off, or took too long. `sent`: it may have received the request. */
export class RemoteUnreachable extends Error {
  readonly sent: boolean
  constructor(message: string, options: { sent: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.sent = options.sent
  }
}

/** The server responded, but not as it should. `final` when a repetition would get the same. */
export class RemoteMisbehaved extends Error {
  readonly final: boolean
  constructor(message: string, options: { final?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.final = options.final ?? false
  }
}

const callMsMax = 30_000
/** For a submission, which carries images. */
export const submitMsMax = 2 * 60_000
/** For a call about work whose task has ended. */
export const tidyMsMax = 10_000
const downloadMsMax = 10 * 60_000
const responseBytesMax = 2 ** 20
const textCharactersMax = 300
const lineBytesMax = 2 ** 20
const connectMsMax = 5_000
/** Errors after which nothing can have reached the server. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export function createRemoteHttp(base: string, key: string | undefined): RemoteHttp {
  const agent = new Agent({ connect: { timeout: connectMsMax }, headersTimeout: 0, bodyTimeout: 0, connections: 64 })
  const connect = buildConnector({ timeout: connectMsMax, allowH2: false })
  const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const common = { ...authorization, 'user-agent': 'dailies', 'accept-encoding': 'identity' }

  const urlOf = (path: string) => new URL(URL.canParse(path) ? path : base + path)

  async function open(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    signal: AbortSignal,
    { json, form, headers }: Partial<CallOptions>,
  ) {
    const body = json === undefined ? (form ?? null) : JSON.stringify(json)
    const response = await request(urlOf(path), {
      method,
      dispatcher: agent,
      signal,
      headers: {
        ...common,
        ...traceHeaders(),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body,
    })
    // An abort raises an error on the body, even when it is no longer read.
    response.body.on('error', () => {})
    try {
      refuseEncoding(response.headers)
    } catch (error) {
      response.body.destroy()
      throw error
    }
    return response
  }

  return {
    origin: new URL(base).origin,
    async call(method, path, options) {
      const { signal: outer, timeoutMs = callMsMax, bytesMax = responseBytesMax } = options
      return await within(outer, timeoutMs, async (signal) => {
        const response = await open(method, path, signal, options)
        const bytes = await readWhole(response.body, bytesMax)
        const text = bytes.toString('utf8')
        return {
          status: response.statusCode,
          body: parseJson(text),
          text: text.slice(0, textCharactersMax),
          retryAfterS: Number.parseInt(String(response.headers['retry-after'] ?? ''), 10) || null,
        }
      })
    },
    async download(path, { toPath, bytesMax, signal: outer }) {
      await within(outer, downloadMsMax, async (ended) => {
        const headers = { ...common, ...traceHeaders() }
        const { response, end } = await httpGet(urlOf(path), { connect, headers, headersMs: downloadMsMax, ended })
        try {
          refuseEncoding(response.headers)
          if (response.statusCode !== 200) {
            throw new RemoteMisbehaved(`it responded with ${response.statusCode} instead of the video`)
          }
          const announced = Number.parseInt(response.headers['content-length'] ?? '', 10) || 0
          await bodyToFile(response, { toPath, bytesMax, announced })
        } finally {
          end()
        }
      })
    },
    async *lines(path, signal) {
      const response = await open('GET', path, signal, { headers: { accept: 'text/event-stream' } })
      const type = String(response.headers['content-type'] ?? '')
      if (response.statusCode !== 200 || !type.startsWith('text/event-stream')) {
        response.body.destroy()
        throw new RemoteMisbehaved(`it has no stream of events (${response.statusCode})`)
      }
      let buffered = ''
      for await (const chunk of response.body.setEncoding('utf8') as AsyncIterable<string>) {
        const lines = (buffered + chunk).split('\n')
        buffered = lines.pop()!
        if (buffered.length > lineBytesMax) throw new RemoteMisbehaved('it sent an endless line')
        yield* lines
      }
    },
    close: () => agent.destroy(),
  }
}

function refuseEncoding(headers: IncomingHttpHeaders): void {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding === 'identity') return
  throw new RemoteMisbehaved(`it used the encoding ${encoding.slice(0, 20)}, which was not accepted`)
}

/** Turns network errors into RemoteUnreachable; an aborted caller gets its own reason back. */
async function within<T>(
  outer: AbortSignal | undefined,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted()
  const timer = AbortSignal.timeout(ms)
  try {
    return await work(outer ? AbortSignal.any([outer, timer]) : timer)
  } catch (error) {
    outer?.throwIfAborted()
    if (error instanceof RemoteMisbehaved) throw error
    if (error instanceof DiskError) throw error.cause
    if (error instanceof FetchFailure && error.kind === 'too_large') {
      throw new RemoteMisbehaved('its video is larger than allowed', { final: true, cause: error })
    }
    if (timer.aborted) throw new RemoteUnreachable(`it did not respond within ${ms} ms`, { sent: true, cause: error })
    const code = (error as NodeJS.ErrnoException).code ?? ''
    throw new RemoteUnreachable(`it could not be reached (${code || (error as Error).message})`, {
      sent: !neverSent.has(code),
      cause: error,
    })
  }
}

async function readWhole(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new RemoteMisbehaved(`its response is longer than ${bytesMax} bytes`, { final: true })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Undefined where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
