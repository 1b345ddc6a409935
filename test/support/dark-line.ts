// A line to a server on this machine that can be stopped up, as a network is that lost its way there: whoever is
// connected hears nothing more and is not hung up on, and goes on where they were when the line is back.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export interface DarkLine {
  port: number
  dark(): void
  light(): void
  /** Present connections go silent for good; new ones work. */
  freeze(): void
  /** New calls are refused, as by a machine on which nobody listens; those that are connected stay so. */
  refuse(): void
  accept(): Promise<void>
  stop(): Promise<void>
}

export async function startDarkLine(targetPort: number): Promise<DarkLine> {
  const pairs = new Set<[Socket, Socket]>()
  let isDark = false
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
        // What was read before is still passed on.
        if (!isDark) other!.end()
        else other!.destroy()
      })
    }
    if (isDark) part(pair)
    else join(pair)
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
    dark() {
      isDark = true
      for (const pair of pairs) part(pair)
    },
    freeze() {
      for (const pair of pairs) part(pair)
    },
    light() {
      isDark = false
      for (const pair of pairs) join(pair)
    },
    refuse: () => void server.close(),
    accept: listen,
    async stop() {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      if (server.listening) server.close()
    },
  }
}
