// MCP over streamable HTTP. Each request carries an API key of the service. No sessions are kept, so any number of these
// processes can serve side by side.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { Dailies, NotAuthenticated } from '../../../client/src/public.ts'
import { withErrorListener } from '../../platform/errors.ts'
import { createMcpServer } from './tools.ts'

interface McpHttpOptions {
  /** The service that the tools call. */
  serviceUrl: string
  version: string
  host: string
  port: number
}

/** A file in base64, and a little around it. */
const bodyBytesMax = 15 * 2 ** 20
const path = '/mcp'

export async function startMcpHttp(options: McpHttpOptions): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    respond(request, response, options).catch(() => {
      if (!response.headersSent) refuse(response, 500, 'Something went wrong.')
      else response.destroy()
    })
  })
  // Such as a lack of descriptors: the server goes on listening.
  withErrorListener(server)
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

async function respond(request: IncomingMessage, response: ServerResponse, options: McpHttpOptions): Promise<void> {
  if (request.url?.split('?')[0] !== path) return refuse(response, 404, `Not found: use ${path}.`)
  if (request.method !== 'POST') return refuse(response, 405, 'Use POST.', { allow: 'POST' })
  const key = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (key === undefined) return refuseKey(response)
  const client = new Dailies({ baseUrl: options.serviceUrl, apiKey: key })
  const body = await readJson(request)
  if (body === undefined) return refuse(response, 400, 'The body is not JSON, or too large.')
  // A client learns about a wrong key when it connects, and not at its first tool call.
  if (isInitialize(body) && !(await isKnown(client))) return refuseKey(response)
  const server = createMcpServer({ client, version: options.version, readsFiles: false })
  const transport = new StreamableHTTPServerTransport({})
  response.on('close', () => void server.close())
  await server.connect(transport)
  await transport.handleRequest(request, response, body)
}

async function isKnown(client: Dailies): Promise<boolean> {
  try {
    await client.credit()
    return true
  } catch (error) {
    if (error instanceof NotAuthenticated) return false
    throw error
  }
}

const isInitialize = (body: unknown) =>
  [body].flat().some((message) => (message as { method?: unknown } | null)?.method === 'initialize')

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) return undefined
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}

function refuseKey(response: ServerResponse): void {
  refuse(response, 401, 'Send a valid API key as Authorization: Bearer.', { 'www-authenticate': 'Bearer' })
}

function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }))
}
