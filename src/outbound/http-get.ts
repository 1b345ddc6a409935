// One GET over a connection of its own, opened by the given connector.
// It uses Node's HTTP client: undici loses the end of a large body when the server closes the connection right after
// it without announcing that, as Python's and many embedded servers do.
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import type { buildConnector } from 'undici'
import { FetchFailure } from './fetch-failure.ts'

interface GetOptions {
  connect: buildConnector.connector
  headers: Record<string, string>
  /** From the request to the end of the response headers. */
  headersMs: number
  ended: AbortSignal
}

/** The caller must call `end`, which closes the connection, even if it has not read the whole body. */
export async function httpGet(
  url: URL,
  { connect, headers, headersMs, ended }: GetOptions,
): Promise<{ response: IncomingMessage; end(): void }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  let timer: NodeJS.Timeout | undefined
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    headers,
    signal: ended,
    createConnection: (_options, opened) => {
      connect(connectTarget(url), (error, socket) => {
        if (error !== null) return opened(error, undefined as unknown as Duplex)
        timer = setTimeout(() => request.destroy(new FetchFailure('timeout')), headersMs)
        opened(null, socket)
      })
      return undefined
    },
  })
  request.on('response', resolve)
  request.on('error', reject)
  // A server that switches protocols ends the request without a response or an error.
  request.on('close', () => reject(new FetchFailure('reset')))
  request.end()
  try {
    const response = await promise
    // Aborting raises an error on the body, even if it is no longer read.
    response.on('error', () => {})
    return { response, end: () => request.destroy() }
  } catch (error) {
    request.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function connectTarget(url: URL): buildConnector.Options {
  const { host, protocol } = url
  // Sockets take an IPv6 address without brackets.
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = url.port || (protocol === 'https:' ? '443' : '80')
  return { hostname, host, protocol, port }
}
