// Stands in front of an HTTP server and makes it fail on demand: responds with 503, waits first, breaks the connection,
// never responds, or keeps uploads waiting.
import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

type ProxyMode = 'fine' | 'failing' | 'slow' | 'broken' | 'silent'

export interface FaultyProxy {
  url: string
  mode: ProxyMode
  /** Uploads get no response from now on, until they are released. */
  holdUploads(): void
  /** The paths of the uploads that wait, whose clients still wait too. */
  held(): string[]
  release(): void
  stop(): Promise<void>
}

const slowMs = 1500

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let holdsUploads = false
  const held = new Map<IncomingMessage, () => void>()
  const server = createServer((request, response) => {
    const pass = () => {
      // The client may have been killed meanwhile.
      if (request.destroyed || response.destroyed) return
      const upstream = forward(
        target + request.url,
        { method: request.method!, headers: request.headers },
        (answer) => {
          if (response.destroyed) return void answer.destroy()
          response.writeHead(answer.statusCode!, answer.headers)
          pipeline(answer, response, () => {})
        },
      )
      upstream.on('error', () => response.destroy())
      pipeline(request, upstream, () => {})
    }
    if (proxy.mode === 'failing') response.writeHead(503).end()
    else if (proxy.mode === 'broken') request.socket.resetAndDestroy()
    else if (proxy.mode === 'slow') setTimeout(pass, slowMs)
    else if (proxy.mode === 'silent') request.resume()
    else if (holdsUploads && request.method === 'PUT') {
      held.set(request, pass)
      response.on('close', () => held.delete(request))
    } else pass()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'fine',
    holdUploads() {
      holdsUploads = true
    },
    held: () => [...held.keys()].map(({ url }) => url!),
    release() {
      holdsUploads = false
      for (const pass of held.values()) pass()
      held.clear()
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}
