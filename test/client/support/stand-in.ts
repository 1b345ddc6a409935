// A server that responds as a test says, request by request, and remembers the requests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Dailies, type DailiesOptions } from '../../../client/src/public.ts'

export interface Asked {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/** An envelope, a plain JSON document, a cut connection, or whatever the function does. */
export type Reply =
  | { status?: number; data?: unknown; msg?: string; headers?: Record<string, string> }
  | { plain: unknown }
  | 'cut'
  | ((response: ServerResponse, asked: Asked) => void)

export interface StandIn extends AsyncDisposable {
  url: string
  asked: Asked[]
  client(options?: Partial<DailiesOptions>): Dailies
}

/** Gives the replies in order, the last one again and again. */
export async function startStandIn(...replies: Reply[]): Promise<StandIn> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('latin1')
    const now = { method: request.method!, path: request.url!, headers: request.headers, body }
    asked.push(now)
    answer(response, now, replies[Math.min(asked.length, replies.length) - 1]!)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    client: (options) => new Dailies({ baseUrl: url, apiKey: 'a-key', ...options }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answer(response: ServerResponse, asked: Asked, reply: Reply): void {
  if (typeof reply === 'function') {
    reply(response, asked)
    return
  }
  if (reply === 'cut') {
    response.socket!.destroy()
    return
  }
  const status = 'plain' in reply ? 200 : (reply.status ?? 200)
  const headers = 'plain' in reply ? {} : reply.headers
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'request-1', ...headers })
  const envelope =
    'plain' in reply ? reply.plain : { code: status, msg: reply.msg ?? 'words', data: reply.data ?? null }
  response.end(JSON.stringify(envelope))
}
