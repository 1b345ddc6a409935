// The listening socket: how many connections it holds, in total and per address, and how long a silent one may stay.
// A connection always ends by being destroyed: a client that never closes its half would keep the descriptor otherwise.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from '../../../platform/logger.ts'
import type { ConnectionLimits } from './connection-table.ts'
import { type Connection, createConnectionTable } from './connection-table.ts'
import { plainAddress } from './request-origin.ts'

interface BoundedServerDeps {
  limits: ConnectionLimits
  /** A proxy speaks for many clients, so the limit per address does not apply to it. */
  isProxy(address: string): boolean
  /** The whole response to bytes that are not a request. */
  unreadableResponse(error: Error, address: string): string
  log: Logger
}

const checkEveryMs = 1000
/** For a request's header block. */
const headersMs = 15_000
/** For a whole request; an upload over a slow line needs it. */
const requestMs = 300_000
/** For a silent client: one that stops in the middle of a body, or that does not read its response. */
const silenceMs = 20_000
const keepAliveMs = 75_000
/** How long a client may take to read the last response before its connection is destroyed. */
const lingerMs = 1000
const headerBytesMax = 16_384
/** One function for all requests; a listener of its own for each would take memory. */
const ignore = () => {}

export interface BoundedServer extends Server {
  /** Closes connections without a request under way, also those that have sent a part of a header block. */
  closeWaiting(): void
}

interface OpenConnection {
  connection: Connection
  /** One function for all of its requests; otherwise each would create its own. */
  endRequest(): void
  latest: IncomingMessage | null
}

export function createBoundedServer(handler: RequestListener, deps: BoundedServerDeps): BoundedServer {
  const connections = createConnectionTable(deps.limits, deps.isProxy, () => performance.now())
  const bySocket = new WeakMap<Duplex, OpenConnection>()
  const server = createServer(
    {
      connectionsCheckingInterval: checkEveryMs,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      maxHeaderSize: headerBytesMax,
      // Node would reject such a request with its own message; the service does not use the header.
      requireHostHeader: false,
    },
    handler,
  )
  server.timeout = silenceMs
  const idleCheck = setInterval(connections.closeIdle, checkEveryMs).unref()
  server.once('close', () => clearInterval(idleCheck))

  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    const connection = connections.add(address, () => socket.destroy())
    if (!connection) {
      socket.destroy()
      return
    }
    bySocket.set(socket, { connection, endRequest: () => connections.end(connection), latest: null })
    socket.once('close', () => connections.remove(connection))
  })
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const open = bySocket.get(request.socket)
    if (!open) return
    connections.begin(open.connection)
    open.latest = request
    // Such as something written after the end: it costs one response, and not the process.
    request.on('error', ignore)
    response.on('error', ignore)
    response.on('close', open.endRequest)
  })
  // An unknown expectation may be ignored; Node would respond to it with a status of its own.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('timeout', (socket: Socket) => {
    const { connection, latest } = bySocket.get(socket) ?? {}
    // The client has nothing left to do but to wait for us.
    if (connection?.requests && latest?.complete && socket.writableLength === 0) socket.setTimeout(silenceMs)
    else socket.destroy()
  })
  server.on('clientError', (error: Error, socket: Duplex) => {
    const connection = bySocket.get(socket)?.connection
    // In the middle of a response no error can be sent.
    if (!socket.writable || connection?.requests) return void socket.destroy()
    socket.end(deps.unreadableResponse(error, connection?.address ?? ''))
    socket.resume()
    setTimeout(() => socket.destroy(), lingerMs).unref()
  })
  // Such as a lack of descriptors. libuv closes what it cannot take; the server goes on listening.
  server.on('error', (error) => {
    if (server.listening) deps.log.warn({ err: error }, 'a connection could not be accepted')
  })
  return Object.assign(server, { closeWaiting: connections.closeWaiting })
}
