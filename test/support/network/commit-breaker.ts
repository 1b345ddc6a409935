// A TCP proxy before PostgreSQL that breaks a connection at the COMMIT of a chosen transaction, with or without
// PostgreSQL having stored it: to the client, both look alike.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface CommitBreaker {
  port: number
  /**
   * Breaks the next COMMIT after a statement with this text; resolves when that has happened. PostgreSQL gets the text
   * of a statement only once per connection.
   */
  breakNext(statement: string, options: { stored: boolean }): Promise<void>
  stop(): Promise<void>
}

interface Order {
  statement: string
  stored: boolean
  done(): void
}

export async function startCommitBreaker(targetPort: number): Promise<CommitBreaker> {
  const sockets = new Set<Socket>()
  let order: Order | null = null

  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1')
    let isChosen = false
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    far.on('data', (chunk) => near.write(chunk))
    near.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      isChosen ||= order !== null && text.includes(order.statement)
      if (!isChosen || !text.includes('commit\0')) return void far.write(chunk)
      const { stored, done } = order!
      order = null
      const cut = () => {
        near.resetAndDestroy()
        done()
      }
      if (!stored) return cut()
      far.removeAllListeners('data').once('data', cut)
      far.write(chunk)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    breakNext(statement, { stored }) {
      const { promise, resolve } = Promise.withResolvers<void>()
      order = { statement, stored, done: resolve }
      return promise
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
