// A TCP proxy that passes on what clients send at a given rate, as a slow uplink does.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface SlowLine {
  url: string
  /** How many were opened. */
  connections(): number
  stop(): Promise<void>
}

/** Later bytes make up for a delay of at most this long. */
const lateMsMax = 500

export async function startSlowLine(port: number, { bytesPerSecond }: { bytesPerSecond: number }): Promise<SlowLine> {
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer((near) => {
    connections++
    const far = connect(port, '127.0.0.1')
    far.pipe(near)
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
    send(near, far).catch(() => {})
  })
  async function send(near: Socket, far: Socket) {
    let dueMs = performance.now()
    for await (const chunk of near as AsyncIterable<Buffer>) {
      far.write(chunk)
      // Sleeps end late on a busy machine; without this, the line would be slower than ordered.
      dueMs = Math.max(dueMs, performance.now() - lateMsMax) + (1000 * chunk.length) / bytesPerSecond
      await sleep(Math.max(0, dueMs - performance.now()))
    }
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    async stop() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
