// The only code that contacts clients' URLs: it downloads to disk and posts callbacks, both over guarded connections,
// with limits on redirects, bytes and time. It does not inspect the bytes.
import { isUtf8 } from 'node:buffer'
import { Agent } from 'undici'
import { slots } from '../limits/table.ts'
import type { AddressPolicy } from './address-rules.ts'
import { createAddressShare, type Places } from './address-share.ts'
import { type BytesMax, bodyToFile, DiskError } from './fetch-body.ts'
import { asFetchFailure, FetchFailure } from './fetch-failure.ts'
import { parseFetchUrl } from './fetch-url.ts'
import { createGuardedConnector } from './guarded-connect.ts'
import { httpGet } from './http-get.ts'
import { httpPost } from './http-post.ts'
import { createHostResolver, type HostLookup } from './resolve-host.ts'
import { readRetryAfter } from './retry-after.ts'

interface FetchTimeouts {
  /** Name, connection and TLS handshake of one hop. */
  connectMs: number
  /** From the request to the end of the response headers, per hop. */
  headersMs: number
  /** The whole download with all its hops. */
  wholeMs: number
}

export interface DownloadOptions {
  toPath: string
  bytesMax: BytesMax
  signal?: AbortSignal
}

interface Downloaded {
  bytes: number
  contentType: string | null
  finalUrl: string
}

interface PostOptions {
  /** On whose behalf: an account has a limited number of posts at once to one address. */
  account: string
  /** Called when the post is sent, which may be later: it waits for its turn at the address. */
  headers(): Record<string, string>
  body: string | Buffer
  timeoutMs: number
  /** The rest of a longer response is not read. */
  answerBytesMax: number
  signal?: AbortSignal
}

interface Posted {
  status: number
  headers: Record<string, string>
  answer: Buffer
  durationMs: number
}

export interface GuardedFetch {
  /** GETs to a file, following at most 3 redirects. It deletes the file if it fails with a FetchFailure. */
  download(url: string, options: DownloadOptions): Promise<Downloaded>
  /** POSTs once. Any status is a result, and redirects are not followed. */
  post(url: string, options: PostOptions): Promise<Posted>
  /** Aborts all running requests. */
  close(): Promise<void>
}

const defaultTimeouts: FetchTimeouts = { connectMs: 5_000, headersMs: 10_000, wholeMs: 60_000 }
const redirectsMax = 3
const redirectStatuses = new Set([301, 302, 303, 307, 308])
/** 203 is a 200 that a proxy changed. Partial responses and those without a body are useless here. */
const contentStatuses = new Set([200, 203])
const userAgent = 'dailies'
/** Shorter than most servers' keep-alive time, so that a post rarely uses a connection that is being closed. */
const keepAliveMs = 4_000

/**
 * Posts of one account at once to one address. Many receivers may share an address: those that hang leave room for
 * those that are quick, and for those that are new.
 */
export const postsPerAddress: Places = slots.postsPerAddress.of

export function createGuardedFetch(options: {
  policy: AddressPolicy
  lookup?: HostLookup
  timeouts?: Partial<FetchTimeouts>
  /** Certificates to trust besides the usual ones. */
  ca?: string | Buffer
}): GuardedFetch {
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const lookup = options.lookup ?? createHostResolver()
  const enterAddress = createAddressShare({ lookup, places: postsPerAddress })
  const connector = createGuardedConnector({
    policy: options.policy,
    lookup,
    connectMs: timeouts.connectMs,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  })
  const agent = new Agent({
    connect: connector.connect(),
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
  })
  const deadlines = new Set<AbortController>()

  async function download(text: string, { toPath, bytesMax, signal }: DownloadOptions): Promise<Downloaded> {
    return await withDeadline({ wholeMs: timeouts.wholeMs, signal, deadlines }, async (ended) => {
      let url = parseFetchUrl(text)
      for (let hop = 0; hop <= redirectsMax; hop++) {
        const answer = await getOnce(url, { toPath, bytesMax, ended })
        if ('bytes' in answer) return { ...answer, finalUrl: url.href }
        url = answer.redirectTo
      }
      throw new FetchFailure('redirect')
    })
  }

  /** Each hop opens a new connection: a reused one may be closing, and there is no retry. */
  async function getOnce(
    url: URL,
    { toPath, bytesMax, ended }: { toPath: string; bytesMax: BytesMax; ended: AbortSignal },
  ): Promise<Omit<Downloaded, 'finalUrl'> | { redirectTo: URL }> {
    const { response, end } = await httpGet(url, {
      connect: connector.connect(ended),
      headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity' },
      headersMs: timeouts.headersMs,
      ended,
    })
    try {
      const { headers } = response
      const statusCode = response.statusCode ?? 0
      if (redirectStatuses.has(statusCode)) return { redirectTo: redirectTarget(headers.location, url) }
      if (!contentStatuses.has(statusCode)) {
        const message = `the server responded with ${statusCode}`
        const retryAfterMs = readRetryAfter(headers['retry-after'], Date.now())
        throw new FetchFailure('status', { status: statusCode, message, retryAfterMs })
      }
      const encoding = single(headers['content-encoding'])?.trim().toLowerCase()
      if (encoding !== undefined && encoding !== '' && encoding !== 'identity') throw new FetchFailure('encoding')
      const announced = Number.parseInt(single(headers['content-length']) ?? '', 10) || 0
      const bytes = await bodyToFile(response, { toPath, bytesMax, announced })
      return { bytes, contentType: single(headers['content-type']) ?? null }
    } finally {
      end()
    }
  }

  async function post(text: string, options: PostOptions): Promise<Posted> {
    const { account, timeoutMs, signal } = options
    const url = parseFetchUrl(text)
    const leave = await enterAddress(account, url, signal)
    try {
      return await withDeadline({ wholeMs: timeoutMs, signal, deadlines }, (ended) => postOnce(url, options, ended))
    } finally {
      leave()
    }
  }

  async function postOnce(url: URL, options: PostOptions, ended: AbortSignal): Promise<Posted> {
    const startedAt = performance.now()
    const response = await httpPost(agent, url, {
      headers: { 'user-agent': userAgent, ...options.headers(), 'accept-encoding': 'identity' },
      body: options.body,
      answerBytesMax: options.answerBytesMax,
      ended,
    })
    return { ...response, durationMs: Math.round(performance.now() - startedAt) }
  }

  async function close(): Promise<void> {
    for (const deadline of deadlines) deadline.abort(new FetchFailure('reset'))
    connector.close()
    await agent.destroy()
  }

  return { download, post, close }
}

/**
 * Runs `work` with a signal that fires when the time is up, the caller aborts or the fetch is closed. Network errors
 * become a FetchFailure; a caller that aborted gets its own reason.
 */
async function withDeadline<T>(
  { wholeMs, signal, deadlines }: { wholeMs: number; signal: AbortSignal | undefined; deadlines: Set<AbortController> },
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new FetchFailure('timeout')), wholeMs)
  const giveUp = () => deadline.abort(signal?.reason)
  signal?.addEventListener('abort', giveUp)
  deadlines.add(deadline)
  try {
    return await work(deadline.signal)
  } catch (error) {
    if (error instanceof DiskError) throw error.cause
    signal?.throwIfAborted()
    const reason = deadline.signal.aborted ? deadline.signal.reason : error
    throw asFetchFailure(reason) ?? reason
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
    deadlines.delete(deadline)
  }
}

function redirectTarget(location: string | string[] | undefined, from: URL): URL {
  const text = single(location)
  if (text === undefined) throw new FetchFailure('redirect')
  // Headers arrive read as Latin-1; servers that do not escape a path send it as UTF-8.
  const bytes = Buffer.from(text, 'latin1')
  return parseFetchUrl(isUtf8(bytes) ? bytes.toString('utf8') : text, from)
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}
