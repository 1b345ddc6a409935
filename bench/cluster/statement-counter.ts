// Counts what processes send to PostgreSQL: a proxy that passes every byte on and reads the messages of the clients.
// A message that runs something is counted as one statement, whatever it runs: `begin; set local …` is one.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

interface StatementCounter {
  /** The database's URL through the proxy. */
  url: string
  /** Counts so far, by the statement's name; statements without a name are counted by their first words. */
  counts: Map<string, number>
  stop(): Promise<void>
}

export async function countStatements(databaseUrl: string): Promise<StatementCounter> {
  const target = new URL(databaseUrl)
  const counts = new Map<string, number>()
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect({ host: target.hostname, port: Number(target.port) })
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        database.destroy()
      })
    }
    const read = messageReader((name) => counts.set(name, (counts.get(name) ?? 0) + 1))
    client.on('data', (chunk: Buffer) => {
      read(chunk)
      database.write(chunk)
    })
    database.on('data', (chunk) => client.write(chunk))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    counts,
    async stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** Splits the stream of one client into messages: the first one has no type, every other one begins with it. */
function messageReader(onStatement: (name: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let isStarted = false
  let bound = ''
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = isStarted ? 1 : 0
      if (rest.length < head + 4) return
      const end = head + rest.readUInt32BE(head)
      if (rest.length < end) return
      const type = isStarted ? String.fromCharCode(rest[0]!) : ''
      const body = rest.subarray(head + 4, end)
      if (type === 'B') bound = cString(body, body.indexOf(0) + 1) || 'unnamed'
      if (type === 'E') onStatement(bound)
      if (type === 'Q') onStatement(cString(body, 0).split(/[;\s]/, 1)[0]!)
      isStarted = true
      rest = rest.subarray(end)
    }
  }
}

const cString = (bytes: Buffer, from: number) => bytes.toString('utf8', from, bytes.indexOf(0, from))
