// A proxy between a client and PostgreSQL that forwards everything but notifications, as a connection pooler in
// transaction mode does for a client that is not in a transaction.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

const notification = 'A'.charCodeAt(0)

export async function startPoolerWithoutNotify(databaseUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => [client, upstream].map((each) => each.destroy()))
    }
    client.pipe(upstream)
    let pending = Buffer.alloc(0)
    upstream.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk])
      // Each message is a letter, then its length without the letter.
      while (pending.length >= 5 && pending.length > pending.readInt32BE(1)) {
        const end = 1 + pending.readInt32BE(1)
        if (pending[0] !== notification) client.write(pending.subarray(0, end))
        pending = pending.subarray(end)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
