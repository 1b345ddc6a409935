// A TCP proxy that a test can redirect, disconnect, reconnect, silence, or replace by one that only serves an HTML page.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

interface SwitchableProxy {
  url: string
  /** Where calls go from now on. */
  to(port: number): void
  page(html: string | null): void
  silent(on: boolean): void
  down(): Promise<void>
  up(): Promise<void>
}

export async function startSwitchableProxy(): Promise<SwitchableProxy> {
  const open = new Set<Socket>()
  let target = 0
  let page: string | null = null
  let silent = false
  let port = 0

  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    return socket
  }
  const accept = (socket: Socket) => {
    keep(socket)
    if (silent) return
    if (page !== null) {
      const answer = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${Buffer.byteLength(page)}\r\nconnection: close\r\n\r\n${page}`
      socket.once('data', () => socket.end(answer))
      return
    }
    const other = keep(connect(target, '127.0.0.1'))
    socket.pipe(other).pipe(socket)
    socket.on('close', () => other.destroy())
    other.on('close', () => socket.destroy())
  }
  const hangUp = () => {
    for (const socket of open) socket.destroy()
  }
  let server = createServer(accept)
  const listen = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  await listen()
  return {
    url: `http://127.0.0.1:${port}`,
    to: (next) => {
      target = next
    },
    page(html) {
      page = html
      hangUp()
    },
    silent(on) {
      silent = on
      hangUp()
    },
    async down() {
      const closed = once(server, 'close')
      server.close()
      hangUp()
      await closed
    },
    async up() {
      server = createServer(accept)
      await listen()
    },
  }
}
