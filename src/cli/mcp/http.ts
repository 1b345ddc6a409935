// MCP over streamable HTTP. Each request carries an API key of the service, which is checked before the body is read. No
// sessions are kept, so any number of these processes can serve side by side.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { Dailies, DailiesError, NotAuthenticated } from '../../../client/src/public.ts'
import { createBoundedServer } from '../../http/server/connections/bounded-server.ts'
import { connectionLimits, descriptorLimit } from '../../http/server/connections/connection-table.ts'
import { plainAddress } from '../../http/server/connections/request-origin.ts'
import { spreadRequests } from '../../http/server/event-loop.ts'
import { createLoopShare } from '../../http/server/loop-share.ts'
import { whenClosed } from '../../http/server/responses/open-responses.ts'
import { createSlots } from '../../limits/slots.ts'
import { slots } from '../../limits/table.ts'
import { sha256Hex } from '../../platform/ids.ts'
import { createLogger } from '../../platform/logger.ts'
import { createRecentMap } from '../../platform/recent-map.ts'
import { discard, discardedMax, isLarge, readBody } from './body.ts'
import { forwardedFor, nameProblem, type ServedNames } from './callers.ts'
import { createMcpServer } from './tools.ts'

interface McpHttpOptions extends ServedNames {
  /** The service that the tools call. */
  serviceUrl: string
  version: string
  port: number
}

const path = '/mcp'
/** The tools use the key too, so one that is revoked meanwhile does nothing. */
const knownForMs = 30_000
const knownMax = 10_000
/** What reading a byte of a body costs, as in the service. */
const msPerByte = 2.5e-6

export async function startMcpHttp(options: McpHttpOptions): Promise<{ url: string; close(): Promise<void> }> {
  const respond = createResponder(options)
  const limits = connectionLimits(null, descriptorLimit())
  const server = createBoundedServer(
    spreadRequests((request, response) => {
      respond(request, response).catch(() => {
        if (!response.headersSent) refuse(response, 500, 'Something went wrong.')
        else response.destroy()
      })
    }),
    { limits, isProxy: () => false, log: createLogger('warn'), unreadableResponse: () => unreadable },
  )
  server.listen(options.port, options.host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}${path}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function createResponder(options: McpHttpOptions) {
  const loopShare = createLoopShare()
  const open = createSlots(slots.mcpCalls.of)
  const largeTurns = createSlots(slots.mcpLargeBodies.of)
  const isKnown = createKeyCheck()

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let caller = `address ${plainAddress(request.socket.remoteAddress ?? '')}`
    let discarded = discardedMax.withoutKey
    const nextTurn = (bytesRead = 0) => {
      if (bytesRead > 0) loopShare.charge(caller, bytesRead * msPerByte)
      return loopShare.turn({ accountId: caller, keyId: '' })
    }
    const refuseWith = (status: number, message: string, headers: Record<string, string> = {}) => {
      refuse(response, status, message, headers)
      // A client that disconnects meanwhile needs no response.
      void discard(request, discarded, nextTurn).catch(() => {})
    }
    if (request.url?.split('?')[0] !== path) return refuseWith(404, `Not found: use ${path}.`)
    if (request.method !== 'POST') return refuseWith(405, 'Use POST.', { allow: 'POST' })
    const problem = nameProblem(request.headers, options)
    if (problem !== null) return refuseWith(403, problem)
    const key = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (key === undefined) return refuseWith(401, keyNeeded, asksForKey)
    const forwarded = forwardedFor(request.headers, request.socket.remoteAddress)
    const headers: Record<string, string> = forwarded === null ? {} : { 'x-forwarded-for': forwarded }
    const settings = { baseUrl: options.serviceUrl, apiKey: key, headers }
    const client = new Dailies(settings)
    const hasty = new Dailies({ ...settings, retries: 0 })
    const refusal = await isKnown({ client, hasty }, { address: caller, id: sha256Hex(`${key} ${forwarded}`) })
    if (refusal) return refuseWith(...refusal)
    caller = `key ${sha256Hex(key)}`
    discarded = discardedMax.withKey
    const leaveOpen = open.tryEnter({ account: caller, key: caller })
    if (!leaveOpen) {
      return refuseWith(429, `Too many open calls: at most ${slots.mcpCalls.of.perAccount} per key.`, {
        'retry-after': '1',
      })
    }
    whenClosed(response, leaveOpen)
    const leave = isLarge(request) ? await largeTurns.enter({ account: caller, key: caller }) : () => {}
    const body = await readBody(request, nextTurn).finally(leave)
    if ('problem' in body) return refuseWith(400, body.problem)
    const server = createMcpServer({ client, version: options.version, readsFiles: false })
    const transport = new StreamableHTTPServerTransport({})
    response.on('close', () => void server.close())
    await server.connect(transport)
    await transport.handleRequest(request, response, body.value)
  }
}

type Refusal = [status: number, message: string, headers?: Record<string, string>]

const keyNeeded = 'Send a valid API key as Authorization: Bearer.'
const asksForKey = { 'www-authenticate': 'Bearer' }

interface Clients {
  client: Dailies
  /** Without retries: a service that refuses many keys asks to wait, and the checks of others must not wait for that. */
  hasty: Dailies
}

/** Asks the service about a key, and remembers a valid one for a while. */
function createKeyCheck() {
  const known = createRecentMap<number>(knownMax)
  const turns = createSlots(slots.mcpKeyChecks.of)
  return async (
    { client, hasty }: Clients,
    { address, id }: { address: string; id: string },
  ): Promise<Refusal | null> => {
    if ((known.get(id) ?? 0) > performance.now()) return null
    const leave = await turns.enter({ account: address, key: address })
    try {
      await hasty.credit().catch((error) => (isUnreachable(error) ? client.credit() : Promise.reject(error)))
      known.set(id, performance.now() + knownForMs)
      return null
    } catch (error) {
      return toRefusal(error)
    } finally {
      leave()
    }
  }
}

const isUnreachable = (error: unknown) => error instanceof DailiesError && error.code === 0

function toRefusal(error: unknown): Refusal {
  if (error instanceof NotAuthenticated) return [401, keyNeeded, asksForKey]
  if (isUnreachable(error)) return [502, 'The service cannot be reached.']
  if (!(error instanceof DailiesError)) throw error
  const seconds = Math.ceil((error.retryAfterMs ?? 1000) / 1000)
  return [error.code, error.message, { 'retry-after': String(seconds) }]
}

const errorText = (message: string) => JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null })

function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(errorText(message))
}

const unreadable = 'HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'
