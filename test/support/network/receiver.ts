// A real receiver of callbacks on loopback: remembers what arrived and when, and responds as its path says.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Received {
  atMs: number
  path: string
  headers: Record<string, string>
  raw: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into callbacks of every shape
  body: any
}

export interface Receiver {
  origin: string
  received: Received[]
  /** What arrived at one path. */
  at(path: string): Received[]
  /** Waits until something is true of what has arrived. */
  until(isEnough: (received: Received[]) => boolean, withinMs?: number): Promise<void>
  close(): Promise<void>
}

type Behaviour = (response: ServerResponse) => void

const behaviours: Record<string, Behaviour> = {
  '/500': (response) => response.writeHead(500).end('broken'),
  '/404': (response) => response.writeHead(404).end('nothing here'),
  '/301': (response) => response.writeHead(301, { location: '/elsewhere' }).end(),
  '/hang': () => {},
  '/reset': (response) => void (response.socket as Socket).resetAndDestroy(),
  '/large': (response) => response.writeHead(200).end('x'.repeat(500_000)),
}

/** Paths may be followed by `?…` to distinguish callbacks; other paths respond with 200. */
export async function startReceiver(own: Record<string, Behaviour> = {}): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const atMs = Date.now()
    let raw = ''
    for await (const chunk of request.setEncoding('utf8')) raw += chunk
    const path = request.url!
    received.push({ atMs, path, headers: flat(request.headers), raw, body: JSON.parse(raw) })
    const behaviour = own[path.split('?')[0]!] ?? behaviours[path.split('?')[0]!]
    if (behaviour) behaviour(response)
    else response.writeHead(200).end('thanks')
    for (const look of waiting) look()
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    received,
    at: (path) => received.filter((each) => each.path === path),
    until(isEnough, withinMs = 10_000) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`not enough arrived within ${withinMs} ms: ${received.map((each) => each.path).join(' ')}`))
        }, withinMs)
        const look = () => {
          if (!isEnough(received)) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      })
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
