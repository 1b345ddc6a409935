// A real HTTP server on loopback that misbehaves on request, for tests of code that fetches from untrusted servers.
// Paths choose the behaviour; files given to it are served plainly at their own paths.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface ServedFile {
  body: Buffer
  type?: string
  /** Closes the connection right after the body without having announced that, as Python's servers do. */
  closes?: boolean
}

export interface BadServer {
  readonly origin: string
  readonly port: number
  /** Every connection that was ever opened to it. */
  readonly connections: number
  readonly requests: readonly { method: string; path: string; headers: IncomingMessage['headers']; body: string }[]
  /** Connections open at this moment. */
  readonly open: number
  /** Resolves when the next request has arrived. */
  nextRequest(): Promise<void>
  /** Resolves once all connections are closed. */
  drained(): Promise<void>
  close(): Promise<void>
}

type Behaviour = (response: ServerResponse, url: URL) => void

const PATTERN = Buffer.alloc(64 * 1024, 'x')

const BEHAVIOURS: Record<string, Behaviour> = {
  '/404': (response) => response.writeHead(404).end('nothing here'),
  '/500': (response) => response.writeHead(500).end('broken'),
  '/204': (response) => response.writeHead(204).end(),
  '/206': (response) => response.writeHead(206).end('part'),
  '/hang': () => {},
  '/reset': (response) => {
    response.writeHead(200, { 'content-length': '100000' })
    response.write(PATTERN.subarray(0, 1000), () => (response.socket as Socket).resetAndDestroy())
  },
  '/reset-at-once': (response) => void (response.socket as Socket).resetAndDestroy(),
  '/ends-early': (response) => {
    response.writeHead(200, { 'content-length': '100000' })
    response.write(PATTERN.subarray(0, 1000), () => (response.socket as Socket).end())
  },
  '/endless': (response) => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write(PATTERN)) {}
    }
    response.on('drain', more)
    more()
  },
  '/drip': (response) => {
    response.writeHead(200, { 'content-length': '100000' })
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  },
  '/header-drip': (response) => {
    const socket = response.socket as Socket
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write('x-more: 1\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  },
  '/lying-length': (response) => {
    response.writeHead(200, { 'content-length': '4' }).end(PATTERN.subarray(0, 4))
  },
  '/announced': (response, url) => {
    const bytes = url.searchParams.get('bytes')
    ;(response.socket as Socket).write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes}\r\n\r\nx`)
  },
  '/two-lengths': (response) => {
    const lengths = 'content-length: 999999\r\ncontent-length: 999999\r\n'
    ;(response.socket as Socket).write(`HTTP/1.1 200 OK\r\n${lengths}\r\n${'x'.repeat(1000)}`)
  },
  '/switches-protocol': (response) => {
    ;(response.socket as Socket).write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')
  },
  '/not-http': (response) => void (response.socket as Socket).end('SSH-2.0-OpenSSH_9.9\r\n'),
  '/status-zero': (response) => void (response.socket as Socket).end('HTTP/1.1 000 Odd\r\ncontent-length: 0\r\n\r\n'),
  '/huge-headers': (response) => {
    ;(response.socket as Socket).end(`HTTP/1.1 200 OK\r\nx-huge: ${'h'.repeat(200_000)}\r\n\r\nbody`)
  },
  '/gzip': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('\x1f\x8b'),
  '/identity': (response) => response.writeHead(200, { 'content-encoding': 'Identity' }).end('plain'),
  '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
  '/nowhere': (response) => response.writeHead(302).end(),
  '/to': (response, url) => {
    // Bytes as they are, in UTF-8, as careless servers send them.
    const location = Buffer.from((url.searchParams.get('url') ?? '').replace(/[\r\n]/g, '')).toString('latin1')
    response.writeHead(302, { location }).end()
  },
  /** `/hops?left=2&end=/ok` redirects twice and then to the end. */
  '/hops': (response, url) => {
    const left = Number(url.searchParams.get('left'))
    const end = url.searchParams.get('end') ?? '/'
    const location = left > 1 ? `/hops?left=${left - 1}&end=${encodeURIComponent(end)}` : end
    response.writeHead([301, 302, 303, 307, 308][left % 5]!, { location }).end()
  },
}

export async function startBadServer(
  options: {
    files?: Record<string, ServedFile>
    host?: string
    port?: number
    createServer?: (l: RequestListener) => Server
  } = {},
): Promise<BadServer> {
  const requests: BadServer['requests'][number][] = []
  const sockets = new Set<Socket>()
  let connections = 0
  let allGone = () => {}
  let arrived = () => {}

  const listener: RequestListener = async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://test')
    let body = ''
    for await (const chunk of request) body += chunk
    requests.push({ method: request.method ?? '', path: url.pathname + url.search, headers: request.headers, body })
    arrived()
    const file = options.files?.[url.pathname]
    const behaviour = BEHAVIOURS[url.pathname]
    if (file?.closes) {
      const socket = response.socket as Socket
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${file.body.length}\r\n\r\n`)
      socket.end(file.body)
    } else if (file !== undefined) {
      response.writeHead(200, { 'content-type': file.type ?? 'application/octet-stream' }).end(file.body)
    } else if (behaviour !== undefined) behaviour(response, url)
    else response.writeHead(200, { 'content-type': 'text/plain' }).end('ok')
  }
  const server = (options.createServer ?? createServer)(listener)
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) allGone()
    })
  })
  const host = options.host ?? '127.0.0.1'
  server.listen(options.port ?? 0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    requests,
    get connections() {
      return connections
    },
    get open() {
      return sockets.size
    },
    nextRequest: () =>
      new Promise((resolve) => {
        arrived = resolve
      }),
    drained: () =>
      sockets.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            allGone = resolve
          }),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
