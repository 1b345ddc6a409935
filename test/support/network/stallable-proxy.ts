// A TCP proxy that can stall, as a network does when it loses a route: connected clients receive nothing and are not
// disconnected, and continue where they were once it resumes.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export interface StallableProxy {
  port: number
  stall(): void
  resume(): void
  /** Present connections go silent and stay so; new ones work. */
  freeze(): void
  /** Sends new connections to another port, as an address that moves. */
  moveTo(port: number): void
  /** New connections are refused; open ones stay open. */
  refuse(): void
  accept(): Promise<void>
  /** Closes the open connections. */
  drop(): void
  stop(): Promise<void>
}

export async function startStallableProxy(firstTargetPort: number): Promise<StallableProxy> {
  let targetPort = firstTargetPort
  const pairs = new Set<[Socket, Socket]>()
  let isStalled = false
  let port = 0
  let server: Server

  const join = ([near, far]: [Socket, Socket]) => {
    near.pipe(far)
    far.pipe(near)
  }
  const part = ([near, far]: [Socket, Socket]) => {
    near.unpipe(far).pause()
    far.unpipe(near).pause()
  }

  const take = (near: Socket) => {
    const pair: [Socket, Socket] = [near, connect(targetPort, '127.0.0.1')]
    pairs.add(pair)
    for (const [socket, other] of [pair, pair.toReversed()] as const) {
      socket!.on('error', () => {})
      socket!.on('close', () => {
        pairs.delete(pair)
        // What was read before is still forwarded.
        if (!isStalled) other!.end()
        else other!.destroy()
      })
    }
    if (isStalled) part(pair)
    else join(pair)
  }

  const drop = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }

  async function listen() {
    server = createServer({ allowHalfOpen: false }, take)
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  await listen()

  return {
    port,
    stall() {
      isStalled = true
      for (const pair of pairs) part(pair)
    },
    freeze() {
      for (const pair of pairs) part(pair)
    },
    resume() {
      isStalled = false
      for (const pair of pairs) join(pair)
    },
    moveTo(movedTo) {
      targetPort = movedTo
    },
    refuse: () => void server.close(),
    accept: listen,
    drop,
    async stop() {
      drop()
      if (server.listening) server.close()
    },
  }
}
