// Stands between a client and a service, passes everything on, and cuts the connection instead of returning the first
// responses to chosen requests: the service has done its work, and the client does not know.
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

interface AnswerCutter extends AsyncDisposable {
  url: string
  cuts(): number
}

export async function startAnswerCutter(serviceUrl: string, request: string, cutsMax: number): Promise<AnswerCutter> {
  const { hostname, port } = new URL(serviceUrl)
  const sockets = new Set<Socket>()
  let cuts = 0
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname)
    let last = ''
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        incoming.destroy()
        outgoing.destroy()
      })
    }
    incoming.on('data', (bytes: Buffer) => {
      last = /^(GET|POST|DELETE) \S+/.exec(bytes.toString('latin1'))?.[0] ?? last
      outgoing.write(bytes)
    })
    outgoing.on('data', (bytes: Buffer) => {
      if (last.startsWith(request) && cuts < cutsMax) {
        cuts++
        incoming.destroy()
      } else {
        incoming.write(bytes)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
